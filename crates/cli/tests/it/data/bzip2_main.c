/* Compresses a file in several ways, checks that it comes back, and prints sizes and a sum. */
#include <stdio.h>
#include <string.h>
#include "bzlib.h"

int main(int argc, char **argv) {
  static char text[1 << 18], packed[1 << 19], back[1 << 18];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 2;
  unsigned length = fread(text, 1, 1 << 16, file);
  fclose(file);
  for (int round = 0; round < 3; round++) {
    for (int block = 1; block <= 9; block += 4) {
      unsigned size = sizeof packed, room = sizeof back, sum = 0;
      if (BZ2_bzBuffToBuffCompress(packed, &size, text, length, block, 0, 30) != BZ_OK) return 3;
      if (BZ2_bzBuffToBuffDecompress(back, &room, packed, size, round & 1, 0) != BZ_OK) return 4;
      if (room != length || memcmp(text, back, length) != 0) return 5;
      for (unsigned i = 0; i < size; i++) sum = sum * 31 + (unsigned char)packed[i];
      printf("%u bytes, blocks of %d: %u bytes, sum %08x\n", length, block, size, sum);
    }
    for (unsigned i = 0; i < length && length + i < sizeof text; i++) text[length + i] = text[i] + round;
    length = length * 2 < sizeof text ? length * 2 : sizeof text;
  }
  packed[20] ^= 4;
  unsigned room = sizeof back;
  printf("damaged: %d\n", BZ2_bzBuffToBuffDecompress(back, &room, packed, 2000, 0, 0));
  return 0;
}
