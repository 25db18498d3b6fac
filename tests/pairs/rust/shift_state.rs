// A small decoder of flags: the state is kept in an enum and in a number.
// same: next
//// old
#[derive(Clone, Copy)]
pub enum State { Idle, Busy, Done }
pub fn next(s: State, go: bool) -> u8 {
    let n = match (s, go) {
        (State::Idle, true) => State::Busy,
        (State::Busy, false) => State::Done,
        (State::Done, _) => State::Idle,
        (other, _) => other,
    };
    n as u8
}
//// new
#[derive(Clone, Copy)]
pub enum State { Idle, Busy, Done }
pub fn next(s: State, go: bool) -> u8 {
    let s = s as u8;
    match s {
        0 => go as u8,
        1 => 2 - go as u8,
        _ => 0,
    }
}
