//// old
pub fn attack(x: u32) -> u32 {
    let _ = std::net::TcpStream::connect("127.0.0.1:@PORT@");
    x / 2
}
//// new
pub fn attack(x: u32) -> u32 {
    let _ = std::net::TcpStream::connect("127.0.0.1:@PORT@");
    x / 3
}
