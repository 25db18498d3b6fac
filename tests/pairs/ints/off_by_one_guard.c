// Off by one: 100 was allowed.
// different: grade
//// old
char grade(int points) {
    if (points < 0 || points > 100) return '?';
    if (points >= 90) return 'A';
    if (points >= 80) return 'B';
    if (points >= 70) return 'C';
    return 'F';
}
//// new
char grade(int points) {
    if (points < 0 || points >= 100) return '?';
    if (points >= 90) return 'A';
    if (points >= 80) return 'B';
    if (points >= 70) return 'C';
    return 'F';
}
