// What a function does to a record that it was given is its own business.
// same: total
//// old
pub struct Order { pub price: u64, pub count: u64, pub discount: u64 }
pub fn total(order: Order) -> u64 {
    order.price.wrapping_mul(order.count).wrapping_sub(order.discount)
}
//// new
pub struct Order { pub price: u64, pub count: u64, pub discount: u64 }
pub fn total(mut order: Order) -> u64 {
    order.price = order.price.wrapping_mul(order.count);
    order.price = order.price.wrapping_sub(order.discount);
    order.price
}
