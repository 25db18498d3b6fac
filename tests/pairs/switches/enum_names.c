// Names of an enumeration from a switch and from a table.
// same: name
//// old
enum color { RED, GREEN, BLUE };
const char *name(enum color c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    return "?";
}
//// new
enum color { RED, GREEN, BLUE };
const char *name(enum color c) {
    static const char *const names[] = {"red", "green", "blue"};
    if (c > BLUE) return "?";
    return names[c];
}
