/* Compresses a file in several ways, checks that it comes back, and prints sizes and hashes. */
#include <stdio.h>
#include <string.h>
#include "lz4.h"
#include "lz4hc.h"
#include "lz4frame.h"
#include "xxhash.h"

int main(int argc, char **argv) {
  static char text[1 << 16], packed[1 << 17], back[1 << 16];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 2;
  int length = (int)fread(text, 1, sizeof text, file);
  fclose(file);
  printf("hash %08x %016llx\n", XXH32(text, length, 7), (unsigned long long)XXH64(text, length, 7));
  for (int level = 0; level <= 12; level++) {
    int size = level < 3 ? LZ4_compress_fast(text, packed, length, sizeof packed, 1 + level * 8)
                         : LZ4_compress_HC(text, packed, length, sizeof packed, level);
    if (size <= 0) return 3;
    memset(back, 0, sizeof back);
    if (LZ4_decompress_safe(packed, back, size, sizeof back) != length) return 4;
    if (memcmp(text, back, length) != 0) return 5;
    printf("level %d: %d bytes, hash %08x\n", level, size, XXH32(packed, size, 0));
  }
  size_t size = LZ4F_compressFrame(packed, sizeof packed, text, length, NULL);
  if (LZ4F_isError(size)) return 6;
  printf("frame %zu bytes, hash %08x\n", size, XXH32(packed, size, 0));
  LZ4F_dctx *context;
  size_t room = sizeof back, used = size;
  LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
  size_t left = LZ4F_decompress(context, back, &room, packed, &used, NULL);
  printf("frame back: left %zu, %zu bytes, same %d\n", left, room, memcmp(text, back, length) == 0);
  LZ4F_freeDecompressionContext(context);
  printf("damaged: %d\n", LZ4_decompress_safe(packed + 3, back, 100, sizeof back));
  return 0;
}
