// How much room a text has is no part of its value, inside of an option either.
// same: name
//// old
pub fn name(known: bool) -> Option<String> {
    if known { Some("ab".to_string()) } else { None }
}
//// new
pub fn name(known: bool) -> Option<String> {
    if !known {
        return None;
    }
    let mut name = String::with_capacity(64);
    name.push('a');
    name.push('b');
    Some(name)
}
