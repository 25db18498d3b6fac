// Raw pointers may lead to the same number.
// different: set
//// old
pub unsafe fn set(a: *mut i32, b: *mut i32) -> i32 {
    *a = 1;
    *b = 2;
    *a
}
//// new
pub unsafe fn set(a: *mut i32, b: *mut i32) -> i32 {
    *a = 1;
    *b = 2;
    1
}
