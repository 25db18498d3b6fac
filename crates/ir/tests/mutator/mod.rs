//! Changes texts in ways that keep them nearly right, each way chosen by a number.

/// Mutant number `number` of some texts.
pub fn mutant(texts: &[&str], number: u64) -> String {
    let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = texts[random.below(texts.len())].as_bytes().to_vec();
    let words = words(&text);
    for _ in 0..1 + random.below(4) {
        match random.below(12) {
            0 => duplicate_line(&mut text, &mut random),
            1 => delete_line(&mut text, &mut random),
            2 => swap_lines(&mut text, &mut random),
            3..=6 => replace_word(&mut text, &words, &mut random),
            7 | 8 => change_number(&mut text, &mut random),
            9 => flip_byte(&mut text, &mut random),
            10 => cut_or_splice(&mut text, texts, &mut random),
            _ => nest(&mut text, &mut random),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

struct Random(u64);

impl Random {
    /// A number below `limit`, or 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn choose<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// The words, names, numbers and signs of a text.
fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> =
        ranges(text, is_word_byte).into_iter().map(|(start, end)| text[start..end].to_vec()).collect();
    words.sort();
    words.dedup();
    words
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"%@!#$._-".contains(&byte)
}

/// Start and end of each run of bytes with a property.
fn ranges(text: &[u8], property: fn(u8) -> bool) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let mut start = None;
    for (i, &byte) in text.iter().chain(b"\n").enumerate() {
        match (start, property(byte)) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                ranges.push((from, i));
                start = None;
            }
            _ => {}
        }
    }
    ranges
}

fn lines(text: &[u8]) -> Vec<(usize, usize)> {
    ranges(text, |byte| byte != b'\n')
}

fn duplicate_line(text: &mut Vec<u8>, random: &mut Random) {
    let lines = lines(text);
    if lines.is_empty() {
        return;
    }
    let (start, end) = lines[random.below(lines.len())];
    let (place, _) = lines[random.below(lines.len())];
    let line: Vec<u8> = text[start..end].iter().copied().chain([b'\n']).collect();
    text.splice(place..place, line);
}

fn delete_line(text: &mut Vec<u8>, random: &mut Random) {
    let lines = lines(text);
    if !lines.is_empty() {
        let (start, end) = lines[random.below(lines.len())];
        text.drain(start..end);
    }
}

fn swap_lines(text: &mut Vec<u8>, random: &mut Random) {
    let lines = lines(text);
    if lines.len() < 2 {
        return;
    }
    let first = random.below(lines.len() - 1);
    let second = first + 1 + random.below((lines.len() - first - 1).min(3));
    let ((start, end), (later_start, later_end)) = (lines[first], lines[second]);
    let line = text[start..end].to_vec();
    let later = text[later_start..later_end].to_vec();
    text.splice(later_start..later_end, line);
    text.splice(start..end, later);
}

fn replace_word(text: &mut Vec<u8>, words: &[Vec<u8>], random: &mut Random) {
    let places = ranges(text, is_word_byte);
    if places.is_empty() || words.is_empty() {
        return;
    }
    let (start, end) = places[random.below(places.len())];
    // A word of the same kind, more often than not.
    let alike: Vec<&Vec<u8>> = words.iter().filter(|word| kind(word) == kind(&text[start..end])).collect();
    let word = if random.below(4) > 0 && !alike.is_empty() {
        alike[random.below(alike.len())].clone()
    } else {
        words[random.below(words.len())].clone()
    };
    text.splice(start..end, word);
}

fn kind(word: &[u8]) -> u8 {
    match word.first() {
        Some(first) if first.is_ascii_digit() => b'0',
        Some(first) if first.is_ascii_alphabetic() => b'a',
        Some(first) => *first,
        None => 0,
    }
}

const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "2",
    "7",
    "-1",
    "64",
    "255",
    "4095",
    "65536",
    "8388608",
    "8388609",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "340282366920938463463374607431768211456",
];

fn change_number(text: &mut Vec<u8>, random: &mut Random) {
    let places = ranges(text, |byte| byte.is_ascii_digit());
    if !places.is_empty() {
        let (start, end) = places[random.below(places.len())];
        text.splice(start..end, random.choose(&NUMBERS).bytes());
    }
}

fn flip_byte(text: &mut [u8], random: &mut Random) {
    if !text.is_empty() {
        let place = random.below(text.len());
        text[place] ^= 1 << random.below(8);
    }
}

/// Drops what follows some place, or takes the rest of another text instead.
fn cut_or_splice(text: &mut Vec<u8>, texts: &[&str], random: &mut Random) {
    let lines_of_text = lines(text);
    if lines_of_text.is_empty() {
        return;
    }
    let (line, _) = lines_of_text[random.below(lines_of_text.len())];
    if random.below(4) == 0 {
        text.truncate(random.below(text.len()));
        return;
    }
    text.truncate(line);
    let other = random.choose(texts).as_bytes();
    let lines = lines(other);
    let (from, _) = lines[random.below(lines.len())];
    text.extend_from_slice(&other[from..]);
}

/// Puts brackets around a word, up to many times, or lets one stand alone.
fn nest(text: &mut Vec<u8>, random: &mut Random) {
    let places = ranges(text, is_word_byte);
    if places.is_empty() {
        return;
    }
    let (start, end) = places[random.below(places.len())];
    let (open, close) =
        [("[1 x ", "]"), ("{", "}"), ("<{", "}>"), ("(", ")"), ("<2 x ", ">"), ("!{", "}")][random.below(6)];
    let depth = [1, 1, 1, 2, 30, 250, 1000][random.below(7)];
    if random.below(5) > 0 {
        text.splice(end..end, close.repeat(depth).into_bytes());
    }
    text.splice(start..start, open.repeat(depth).into_bytes());
}
