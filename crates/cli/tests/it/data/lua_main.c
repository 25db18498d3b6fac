/* Runs the script named by the first argument, and nothing else. */
#include <stdio.h>
#include "lauxlib.h"
#include "lualib.h"

int main(int argc, char **argv) {
  lua_State *state = luaL_newstate();
  if (state == NULL || argc < 2) return 2;
  luaL_openlibs(state);
  if (luaL_dofile(state, argv[1]) != LUA_OK) {
    fprintf(stderr, "%s\n", lua_tostring(state, -1));
    return 1;
  }
  lua_close(state);
  return 0;
}
