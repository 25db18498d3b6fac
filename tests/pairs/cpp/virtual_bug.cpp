// An override is lost: the base's function runs.
// different: speak
//// old
struct Animal { virtual int sound() const { return 0; } };
struct Dog : Animal { int sound() const override { return 1; } };
extern "C" int speak(int kind) {
    Dog dog;
    Animal animal;
    const Animal &a = kind == 1 ? dog : animal;
    return a.sound();
}
//// new
struct Animal { virtual int sound() const { return 0; } };
struct Dog : Animal { int sound() { return 1; } };
extern "C" int speak(int kind) {
    Dog dog;
    Animal animal;
    const Animal &a = kind == 1 ? dog : animal;
    return a.sound();
}
