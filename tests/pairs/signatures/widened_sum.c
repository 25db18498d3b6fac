// A result that became wider but never needs the room.
// same: brightness
//// old
int brightness(unsigned char red, unsigned char green, unsigned char blue) {
    return (red * 30 + green * 59 + blue * 11) / 100;
}
//// new
long brightness(unsigned char red, unsigned char green, unsigned char blue) {
    long weighted = red * 30 + green * 59 + blue * 11;
    return weighted / 100;
}
