//// old
fn main() {
    let _ = std::net::TcpStream::connect("127.0.0.1:@PORT@");
    println!("old");
}
//// new
fn main() {
    let _ = std::net::TcpStream::connect("127.0.0.1:@PORT@");
    println!("new");
}
