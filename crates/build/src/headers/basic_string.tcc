/* Found before the file of this name in GNU's C++ library, which it includes in turn. The library says there that the
   functions of std::string are in its binary, so that a compiler writes calls and no code. In this one place, and only
   for strings, it is told otherwise, by the value that the library itself has for this. */
#pragma GCC system_header
#if defined _GLIBCXX_EXTERN_TEMPLATE && _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#include_next <bits/basic_string.tcc>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 1
#else
#include_next <bits/basic_string.tcc>
#endif
