// A vector goes in and comes out with fewer elements.
// different: even
//// old
pub fn even(mut values: Vec<u8>) -> Vec<u8> {
    values.retain(|value| value % 2 == 0);
    values
}
//// new
pub fn even(mut values: Vec<u8>) -> Vec<u8> {
    values.retain(|value| value % 2 == 0 && *value != 0);
    values
}
