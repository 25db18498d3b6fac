// A match and a chain of ifs.
// same: grade
//// old
pub fn grade(points: u8) -> char {
    match points {
        90..=100 => 'A',
        80..=89 => 'B',
        70..=79 => 'C',
        0..=69 => 'F',
        _ => '?',
    }
}
//// new
pub fn grade(points: u8) -> char {
    if points > 100 { return '?'; }
    if points >= 90 { return 'A'; }
    if points >= 80 { return 'B'; }
    if points >= 70 { 'C' } else { 'F' }
}
