// A global variable's address is given to the outside.
// same: start
//// old
struct config { int speed, mode; };
static struct config config;
int device_open(struct config *c, int flags);
int start(int mode) {
    config.mode = mode;
    config.speed = 9600;
    return device_open(&config, 1);
}
//// new
struct config { int speed, mode; };
static struct config config;
int device_open(struct config *c, int flags);
int start(int mode) {
    struct config *c = &config;
    c->speed = 9600;
    c->mode = mode;
    int r = device_open(c, 1);
    return r;
}
