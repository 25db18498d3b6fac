/* Compresses a file in several ways, checks that it comes back, and prints sizes and sums. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "zlib.h"

int main(int argc, char **argv) {
  static unsigned char text[1 << 16], packed[1 << 17], back[1 << 16];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 2;
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  printf("crc %08lx adler %08lx\n", crc32(0, text, length), adler32(1, text, length));
  for (int level = 0; level <= 9; level++) {
    for (int strategy = 0; strategy <= 4; strategy++) {
      z_stream s;
      memset(&s, 0, sizeof s);
      if (deflateInit2(&s, level, Z_DEFLATED, level == 3 ? -15 : 15, 8, strategy) != Z_OK) return 3;
      s.next_in = text, s.avail_in = length, s.next_out = packed, s.avail_out = sizeof packed;
      if (deflate(&s, Z_FINISH) != Z_STREAM_END) return 4;
      unsigned long size = s.total_out;
      deflateEnd(&s);
      memset(&s, 0, sizeof s);
      memset(back, 0, sizeof back);
      if (inflateInit2(&s, level == 3 ? -15 : 15) != Z_OK) return 5;
      s.next_in = packed, s.avail_in = size, s.next_out = back, s.avail_out = sizeof back;
      int end = inflate(&s, Z_FINISH);
      inflateEnd(&s);
      if (end != Z_STREAM_END || memcmp(text, back, length) != 0) return 6;
      printf("level %d strategy %d: %lu bytes, crc %08lx\n", level, strategy, size, crc32(0, packed, size));
    }
  }
  packed[100] ^= 1;
  uLongf room = sizeof back;
  printf("damaged: %d\n", uncompress(back, &room, packed, 4000));
  return 0;
}
