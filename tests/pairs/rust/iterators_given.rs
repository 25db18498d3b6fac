// Iterators of the library as parameters: empty ones, longer ones, characters of several bytes.
// different: empty, second, wide, slice_empty, slice_second, peek_end, bytes_end
// open
//// old
use std::iter::Peekable;
use std::str::{Bytes, Chars};
pub fn empty(it: &mut Chars) -> bool { it.next().is_none() }
pub fn second(it: &mut Chars) -> Option<char> { it.next(); it.next() }
pub fn wide(it: &mut Chars) -> bool { it.next().map_or(false, |c| c as u32 > 127) }
pub fn slice_empty(it: &mut std::slice::Iter<u8>) -> bool { it.next().is_none() }
pub fn slice_second(mut it: std::slice::Iter<u8>) -> u8 { it.next(); it.next().copied().unwrap_or(9) }
pub fn peek_end(it: &mut Peekable<Chars>) -> bool { it.peek().is_none() }
pub fn bytes_end(mut it: Bytes) -> bool { it.next().is_none() }
//// new
use std::iter::Peekable;
use std::str::{Bytes, Chars};
pub fn empty(it: &mut Chars) -> bool { it.next(); false }
pub fn second(it: &mut Chars) -> Option<char> { it.next(); it.next().map(|c| if c == 'x' { 'y' } else { c }) }
pub fn wide(it: &mut Chars) -> bool { it.next(); false }
pub fn slice_empty(it: &mut std::slice::Iter<u8>) -> bool { it.next(); false }
pub fn slice_second(mut it: std::slice::Iter<u8>) -> u8 { it.next(); it.next().copied().unwrap_or(8) }
pub fn peek_end(it: &mut Peekable<Chars>) -> bool { it.peek(); false }
pub fn bytes_end(it: Bytes) -> bool { let _ = it; false }
