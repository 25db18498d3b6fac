// A method changes a field before it is used.
// different: deposit
//// old
pub struct Account { pub balance: i64, pub count: u32 }
pub fn deposit(a: &mut Account, x: i64) -> i64 {
    if x <= 0 { return a.balance; }
    a.balance = a.balance.wrapping_add(x);
    a.count = a.count.wrapping_add(1);
    a.balance
}
//// new
pub struct Account { pub balance: i64, pub count: u32 }
pub fn deposit(a: &mut Account, x: i64) -> i64 {
    a.count = a.count.wrapping_add(1);
    if x <= 0 { return a.balance; }
    a.balance = a.balance.wrapping_add(x);
    a.balance
}
