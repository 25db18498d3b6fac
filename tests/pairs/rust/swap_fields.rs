// A struct is changed in place.
// same: Rect::flip
//// old
pub struct Rect { pub w: u32, pub h: u32, pub turned: bool }
impl Rect {
    pub fn flip(&mut self) {
        let t = self.w;
        self.w = self.h;
        self.h = t;
        self.turned = !self.turned;
    }
}
//// new
pub struct Rect { pub w: u32, pub h: u32, pub turned: bool }
impl Rect {
    pub fn flip(&mut self) {
        std::mem::swap(&mut self.w, &mut self.h);
        self.turned ^= true;
    }
}
