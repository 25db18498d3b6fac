//! Mutants of seeds, each chosen by a number: the same in every run and on every machine.

/// Numbers that only look random (xorshift).
struct Random(u64);

impl Random {
    /// The next number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Mutant number `number` of some seeds; made of words and lines if they are text.
pub fn mutant(seeds: &[Vec<u8>], number: u64, is_text: bool) -> Vec<u8> {
    let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    if seeds.is_empty() {
        return (0..random.below(64)).map(|_| random.below(256) as u8).collect();
    }
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(4) {
        match random.below(if is_text { 10 } else { 4 }) {
            0 => change_byte(&mut bytes, &mut random),
            1 => remove(&mut bytes, &mut random),
            2 => splice(&mut bytes, seeds, &mut random),
            3 => repeat(&mut bytes, &mut random),
            4..=6 => replace_word(&mut bytes, seeds, &mut random),
            7 => change_number(&mut bytes, &mut random),
            8 => swap_lines(&mut bytes, &mut random),
            _ => copy_line(&mut bytes, seeds, &mut random),
        }
    }
    bytes
}

fn change_byte(bytes: &mut [u8], random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    bytes[at] = match random.below(4) {
        0 => bytes[at] ^ (1 << random.below(8)),
        1 => [0, 0x7f, 0x80, 0xff][random.below(4)],
        _ => random.below(256) as u8,
    };
}

/// A short range of some bytes, or any.
fn range(length: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(length + 1);
    let most = if random.below(4) == 0 { length - start } else { (length - start).min(16) };
    start..start + random.below(most + 1)
}

fn remove(bytes: &mut Vec<u8>, random: &mut Random) {
    bytes.drain(range(bytes.len(), random));
}

fn splice(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let other = &seeds[random.below(seeds.len())];
    let part = other[range(other.len(), random)].to_vec();
    bytes.splice(range(bytes.len(), random), part);
}

fn repeat(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = range(bytes.len(), random);
    let part = bytes[range.clone()].repeat(1 + random.below(8));
    bytes.splice(range.end..range.end, part);
}

/// Start and end of each run of bytes with a property.
fn runs(bytes: &[u8], property: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut start = None;
    for (at, byte) in bytes.iter().map(Some).chain([None]).enumerate() {
        match (start, byte.is_some_and(|&byte| property(byte))) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                runs.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    runs
}

fn words(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    runs(bytes, |byte| byte.is_ascii_alphanumeric() || b"%@!#$._-".contains(&byte))
}

fn lines(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    runs(bytes, |byte| byte != b'\n')
}

fn any<T: Clone>(of: &[T], random: &mut Random) -> Option<T> {
    (!of.is_empty()).then(|| of[random.below(of.len())].clone())
}

fn replace_word(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let other = if random.below(2) == 0 { bytes.clone() } else { seeds[random.below(seeds.len())].clone() };
    if let (Some(place), Some(word)) = (any(&words(bytes), random), any(&words(&other), random)) {
        bytes.splice(place, other[word].iter().copied());
    }
}

fn change_number(bytes: &mut Vec<u8>, random: &mut Random) {
    const NUMBERS: [&str; 12] = [
        "0",
        "1",
        "-1",
        "7",
        "64",
        "128",
        "255",
        "65536",
        "2147483647",
        "4294967296",
        "9223372036854775807",
        "99999999999999999999",
    ];
    if let Some(place) = any(&runs(bytes, |byte| byte.is_ascii_digit()), random) {
        bytes.splice(place, NUMBERS[random.below(NUMBERS.len())].bytes());
    }
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let lines = lines(bytes);
    if let (Some(one), Some(other)) = (any(&lines, random), any(&lines, random)) {
        let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
        let (former, latter) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
        bytes.splice(second, former);
        bytes.splice(first, latter);
    }
}

fn copy_line(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let other = if random.below(2) == 0 { bytes.clone() } else { seeds[random.below(seeds.len())].clone() };
    if let (Some(place), Some(line)) = (any(&lines(bytes), random), any(&lines(&other), random)) {
        let line: Vec<u8> = other[line].iter().copied().chain([b'\n']).collect();
        bytes.splice(place.start..place.start, line);
    }
}

#[cfg(test)]
mod tests {
    use super::mutant;

    #[test]
    fn mutants_are_the_same_in_every_run_and_differ_from_each_other() {
        let seeds = [b"define i32 @f(i32 %x) {\nret i32 %x\n}\n".to_vec(), Vec::new()];
        let made: Vec<Vec<u8>> = (0..200).map(|number| mutant(&seeds, number, true)).collect();
        assert_eq!(made, (0..200).map(|number| mutant(&seeds, number, true)).collect::<Vec<_>>());
        let mut distinct = made.clone();
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() > 100, "{}", distinct.len());
        (0..200).for_each(|number| drop(mutant(&[], number, false)));
    }
}
