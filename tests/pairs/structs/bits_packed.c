// Bit-fields and shifts for the same register.
// same: make
//// old
union reg { unsigned all; struct { unsigned on : 1, mode : 3, level : 8, rest : 20; } f; };
unsigned make(unsigned mode, unsigned level) {
    union reg r;
    r.all = 0;
    r.f.on = 1; r.f.mode = mode; r.f.level = level;
    return r.all;
}
//// new
unsigned make(unsigned mode, unsigned level) { return 1u | (mode & 7u) << 1 | (level & 255u) << 4; }
