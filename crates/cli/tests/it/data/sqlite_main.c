/* Runs the statements in the file named by the first argument and prints every row. */
#include <stdio.h>
#include <stdlib.h>
#include "sqlite3.h"

static int row(void *unused, int columns, char **values, char **names) {
  for (int i = 0; i < columns; i++) printf("%s%s=%s", i ? ", " : "", names[i], values[i] ? values[i] : "NULL");
  printf("\n");
  return 0;
}

int main(int argc, char **argv) {
  static char text[1 << 16];
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (file == NULL) return 2;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  sqlite3 *db;
  char *message = NULL;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 3;
  if (sqlite3_exec(db, text, row, NULL, &message) != SQLITE_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  printf("changes %d, version %s\n", sqlite3_total_changes(db), sqlite3_libversion());
  return sqlite3_close(db);
}
