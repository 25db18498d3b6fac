// A lexer's step: states inside of states flattened.
// same: lex
//// old
int lex(int state, char c) {
    if (state == 0) {
        if (c >= '0' && c <= '9') return 1;
        if (c == '"') return 2;
        return 0;
    } else if (state == 1) {
        return c >= '0' && c <= '9' ? 1 : 0;
    } else if (state == 2) {
        if (c == '\\') return 3;
        return c == '"' ? 0 : 2;
    } else if (state == 3) {
        return 2;
    }
    return -1;
}
//// new
int lex(int state, char c) {
    int digit = c >= '0' && c <= '9';
    switch (state * 1) {
    case 3: return 2;
    case 2:
        switch (c) {
        case '"': return 0;
        case '\\': return 3;
        }
        return 2;
    case 1: return digit;
    case 0:
        if (digit) return 1;
        return c == '"' ? 2 : 0;
    default: return -1;
    }
}
