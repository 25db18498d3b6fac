// Fields of a date packed by shifts and by arithmetic.
// same: pack
//// old
#include <stdint.h>
uint32_t pack(uint16_t year, uint8_t month, uint8_t day) {
    return ((uint32_t)(year & 0xfff) << 9) | ((uint32_t)(month & 0xf) << 5) | (day & 0x1f);
}
//// new
#include <stdint.h>
uint32_t pack(uint16_t year, uint8_t month, uint8_t day) {
    return (year % 4096u) * 512u + (month % 16u) * 32u + day % 32u;
}
