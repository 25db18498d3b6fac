// An element of an array of records, which got larger.
// same: next
//// old
struct step { int length; };
struct step *next(struct step *s) { return s + 1; }
//// new
struct step { int length; int height; };
struct step *next(struct step *s) { return &s[1]; }
