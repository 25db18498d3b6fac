// A record that is too large for registers is given in memory.
// different: total
//// old
pub struct Order { pub price: u64, pub count: u64, pub discount: u64 }
pub fn total(order: Order) -> u64 {
    order.price.wrapping_mul(order.count).wrapping_sub(order.discount)
}
//// new
pub struct Order { pub price: u64, pub count: u64, pub discount: u64 }
pub fn total(order: Order) -> u64 {
    order.price.wrapping_mul(order.count.wrapping_sub(order.discount))
}
