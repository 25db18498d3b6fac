// A switch over characters becomes a chain of ifs.
// same: escape
//// old
char escape(char c) {
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case '0': return '\0';
    default: return c;
    }
}
//// new
char escape(char c) {
    if (c == 'n') return '\n';
    if (c == 't') return '\t';
    if (c == '0') return '\0';
    if (c == 'r') return '\r';
    return c;
}
