// Two calls to the outside change places.
// different: save
//// old
int write_record(int id);
void log_event(int id);
int save(int id) {
    log_event(id);
    return write_record(id);
}
//// new
int write_record(int id);
void log_event(int id);
int save(int id) {
    int r = write_record(id);
    log_event(id);
    return r;
}
