// An initialiser by position, and fields that changed places.
// different: port
//// old
struct settings { int port, retries; };
static struct settings settings = { 80, 3 };
int port(void) { return settings.port; }
//// new
struct settings { int retries, port; };
static struct settings settings = { 80, 3 };
int port(void) { return settings.port; }
