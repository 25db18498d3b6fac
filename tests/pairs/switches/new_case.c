// One more case.
// different: escape
//// old
char escape(char c) {
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    default: return c;
    }
}
//// new
char escape(char c) {
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'a': return '\a';
    default: return c;
    }
}
