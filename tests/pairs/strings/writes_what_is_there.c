// A letter is written even if it is there already: a literal would not stand that.
// same within bounds: begin
// scope: memory of the input can be written
//// old
void begin(char *s) {
    if (s[0] != 'x') s[0] = 'x';
}
//// new
void begin(char *s) { s[0] = 'x'; }
