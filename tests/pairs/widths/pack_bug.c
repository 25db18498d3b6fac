// A mask of the month is one bit too small.
// different: pack
//// old
#include <stdint.h>
uint32_t pack(uint16_t year, uint8_t month, uint8_t day) {
    return ((uint32_t)(year & 0xfff) << 9) | ((uint32_t)(month & 0xf) << 5) | (day & 0x1f);
}
//// new
#include <stdint.h>
uint32_t pack(uint16_t year, uint8_t month, uint8_t day) {
    return ((uint32_t)(year & 0xfff) << 9) | ((uint32_t)(month & 0x7) << 5) | (day & 0x1f);
}
