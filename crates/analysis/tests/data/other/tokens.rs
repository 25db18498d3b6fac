//! Traits, enums, slices, boxes, closures, panics.
pub trait Sink {
    fn put(&mut self, token: Token);
}

#[derive(Clone, Copy, PartialEq)]
pub enum Token {
    Number(u32),
    Plus,
    End,
}

pub struct Count {
    pub numbers: usize,
    pub sum: u32,
}

impl Sink for Count {
    fn put(&mut self, token: Token) {
        if let Token::Number(number) = token {
            self.numbers += 1;
            self.sum += number;
        }
    }
}

pub fn tokens(text: &[u8], sink: &mut dyn Sink) {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'0'..=b'9' => {
                let mut number = 0;
                while at < text.len() && text[at].is_ascii_digit() {
                    number = number * 10 + u32::from(text[at] - b'0');
                    at += 1;
                }
                sink.put(Token::Number(number));
            }
            b'+' => {
                sink.put(Token::Plus);
                at += 1;
            }
            other => panic!("unexpected {other}"),
        }
    }
    sink.put(Token::End);
}

pub fn sum(text: &str) -> u32 {
    let mut sink: Box<Count> = Box::new(Count { numbers: 0, sum: 0 });
    tokens(text.as_bytes(), &mut *sink);
    let scale = |by: u32| sink.sum * by;
    scale(sink.numbers as u32)
}
