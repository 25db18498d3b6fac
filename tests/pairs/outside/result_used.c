// The result of a sensor is read once instead of twice.
// different: level
//// old
int sensor(void);
int level(void) { if (sensor() > 10) return sensor(); return 0; }
//// new
int sensor(void);
int level(void) { int s = sensor(); return s > 10 ? s : 0; }
