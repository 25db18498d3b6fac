// Split at the last separator in place of the first one.
// different: key
//// old
pub fn key(line: &str) -> usize {
    line.split_once('=').map_or(0, |(key, _)| key.len())
}
//// new
pub fn key(line: &str) -> usize {
    line.rsplit_once('=').map_or(0, |(key, _)| key.len())
}
