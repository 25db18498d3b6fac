// Text: characters counted one by one and by an iterator.
// same within bounds: words
//// old
pub fn words(text: &str) -> usize {
    let mut count = 0;
    let mut inside = false;
    for byte in text.bytes() {
        if byte == b' ' {
            inside = false;
        } else {
            if !inside {
                count += 1;
            }
            inside = true;
        }
    }
    count
}
//// new
pub fn words(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b' ' && (at == 0 || bytes[at - 1] == b' ') {
            count += 1;
        }
        at += 1;
    }
    count
}
