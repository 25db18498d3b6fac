// The read moved out of the lock.
// same: get
// scope: no other thread
//// old
#include <mutex>
std::mutex lock;
int n;
int get() { std::lock_guard<std::mutex> guard(lock); return n; }
//// new
#include <mutex>
std::mutex lock;
int n;
int get() { { std::lock_guard<std::mutex> guard(lock); } return n; }
