// An empty text is not the same as none.
// different: name
//// old
pub fn name(known: bool) -> Option<String> {
    if known { Some("ab".to_string()) } else { None }
}
//// new
pub fn name(known: bool) -> Option<String> {
    if known { Some("ab".to_string()) } else { Some(String::new()) }
}
