// Another error for the empty input.
// different: first_digit
//// old
#[derive(PartialEq)]
pub enum Error { Empty, NoDigit }
pub fn first_digit(text: &[u8]) -> Result<u8, Error> {
    let Some(&c) = text.first() else { return Err(Error::Empty) };
    if c.is_ascii_digit() { Ok(c - b'0') } else { Err(Error::NoDigit) }
}
//// new
#[derive(PartialEq)]
pub enum Error { Empty, NoDigit }
pub fn first_digit(text: &[u8]) -> Result<u8, Error> {
    let c = text.first().copied().unwrap_or(b' ');
    if c.is_ascii_digit() { Ok(c - b'0') } else { Err(Error::NoDigit) }
}
