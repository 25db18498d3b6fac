; Every form of constant.

;;; floats of every format
@d1 = global double 0.0
@d2 = global double -0.0
@d3 = global double 1.0
@d4 = global double 1.5e300
@d5 = global double -1.25E-10
@d6 = global double 0x7FF0000000000000
@d7 = global double 0xFFF0000000000000
@d8 = global double 0x7FF8000000000000
@d9 = global double 0x7FF4000000000001
@d10 = global double 0xFFFFFFFFFFFFFFFF
@d11 = global double 0x0000000000000001
@d12 = global double 4.9406564584124654e-324
@d13 = global double 1.7976931348623157e+308
@d14 = global double 123456789.123456789
@d15 = global double 1.
@d16 = global double +1.0
@d17 = global double 0x1
@d18 = global double 1.0e400
@d19 = global double 1.0E+5
@d20 = global double 0x7ff8000000000abc
@d21 = global double 00001.5
@f1 = global float 1.0
@f2 = global float 0x36A0000000000000
@f3 = global float 0x380FFFFFC0000000
@f4 = global float 0x7FF0000000000000
@f5 = global float 0x7FF8000000000000
@f6 = global float 0x7FF4000020000000
@f7 = global float 0xFFFFFFFFE0000000
@f8 = global float 0x47EFFFFFE0000000
@f9 = global float 1.25
@f10 = global float 0x7FF0000020000000
@h1 = global half 0xH0000
@h2 = global half 0xH8000
@h3 = global half 0xH0001
@h4 = global half 0xH03FF
@h5 = global half 0xH7C00
@h6 = global half 0xH7C01
@h7 = global half 0xH7E00
@h8 = global half 0xHFFFF
@h9 = global half 1.0
@h10 = global half 6.103515625e-05
@h11 = global half 5.9604644775390625e-08
@h12 = global half 0x3FF0000000000000
@h13 = global half 0x7FF8000000000000
@h14 = global half 0x7FFC000000000000
@b1 = global bfloat 0xR3F80
@b2 = global bfloat 0xR7FC1
@b3 = global bfloat 0xR0001
@b4 = global bfloat 1.0
@b5 = global bfloat -2.5
@b6 = global bfloat 0x4000000000000000
@x1 = global x86_fp80 0xK3FFF8000000000000000
@x2 = global x86_fp80 0xK7FFF8000000000000000
@x3 = global x86_fp80 0xK7FFFC000000000000000
@x4 = global x86_fp80 0xK00000000000000000001
@x5 = global x86_fp80 0xKFFFFFFFFFFFFFFFFFFFF
@x6 = global x86_fp80 0xK00000000000000000000
@x7 = global x86_fp80 0xK7FFFA000000000000001
@q1 = global fp128 0xL00000000000000003FFF000000000000
@q2 = global fp128 0xL00000000000000007FFF000000000000
@q3 = global fp128 0xL00000000000000017FFF800000000000
@q4 = global fp128 0xL00000000000000010000000000000000
@q5 = global fp128 0xL0123456789ABCDEF3FFF123456789ABC
@p1 = global ppc_fp128 0xM3FF00000000000000000000000000000
@p2 = global ppc_fp128 0xM400C0000000000300000000010000000
@p3 = global ppc_fp128 0xM7FF00000000000000000000000000000

;;; floats with few digits
@r = global half 0xH1
@q = global fp128 0xL1
@a = global float 3.40282346638528859811704183484516925440e+38
@b = global double 0.1

;;; equal floats
@a = global [4 x float] [float 1.0, float 0x3FF0000000000000, float 1.000000e+00, float 0x3FF0000000000000]
@b = global [2 x i32] [i32 -2147483648, i32 4294967295]

;;; hexadecimal integers
@a = global i32 u0xFF
@b = global i32 s0xFF
@c = global i64 u0x123456789ABCDEF0
@d = global i8 s0x80
@e = global i16 s0x0080
@f = global i32 u0x0000000000000001
@g = global i128 u0xFEDCBA98765432100123456789ABCDEF
@h = global i256 s0xF
@i = global i1 u0x1

;;; integers of every width
@a = global i129 680564733841876926926749214863536422911
@b = global i129 -1
@c = global i200 -12345678901234567890123456789012345678901234567890
@d = global i65 18446744073709551616
@e = global i65 -18446744073709551616
@f = global i128 -170141183460469231731687303715884105728
@g = global i128 340282366920938463463374607431768211455
@h = global i7 -64
@i = global i7 127
@j = global i24 8388607
@k = global i33 -4294967296
@l = global i1 true
@m = global i1 false
@n = global i1 1
@o = global i1 0
@p = global i1 -1
@q = global i1024 1
@r = global i256 zeroinitializer
@s = global i512 undef
@t = global i3 -4
@v = global [2 x i129] [i129 1, i129 -1]
@w = global <2 x i200> <i200 1, i200 -1>
@x = global i32 -0
@y = global i32 007
@z = global i256 115792089237316195423570985008687907853269984665640564039457584007913129639935

;;; aggregates
%n = type { i32, %m, [2 x %m] }
%m = type <{ i8, i16 }>
%o = type opaque
@a = global { i32, i8 } { i32 1, i8 2 }
@b = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@c = global [3 x i8] c"a\00\FF"
@d = global [3 x i8] [i8 1, i8 2, i8 3]
@e = global [2 x [2 x i16]] [[2 x i16] [i16 1, i16 2], [2 x i16] zeroinitializer]
@f = global %n { i32 1, %m <{ i8 1, i16 2 }>, [2 x %m] [%m zeroinitializer, %m <{ i8 3, i16 4 }>] }
@g = global {} {}
@h = global <{}> <{}>
@j = global [0 x i32] zeroinitializer
@k = global {} zeroinitializer
@l = global <4 x i32> <i32 1, i32 2, i32 undef, i32 poison>
@m = global <2 x ptr> <ptr @a, ptr null>
@n = global { { { i8 } } } { { { i8 } } { { i8 } { i8 7 } } }
@o = global [1 x {}] [{} zeroinitializer]
@p = global { ptr, i64, [4 x i8] } { ptr @p, i64 ptrtoint (ptr @p to i64), [4 x i8] undef }
@q = global <{ <{ i8 }>, { i8, <2 x i8> } }> <{ <{ i8 }> <{ i8 1 }>, { i8, <2 x i8> } { i8 1, <2 x i8> <i8 2, i8 3> } }>
@r = global [0 x i8] c""
@s = global [4 x i8] c"\\\22\0A'"
@t = global [5 x i8] c"\5c\\x;\09"
@u = global [2 x i8] c"\0a\0D"
@v = external global %o
@w = global [3 x i8] zeroinitializer
@x = global [2 x i32] undef
@y = global [2 x i32] [i32 0, i32 0]
@z = global { i32, ptr } { i32 0, ptr null }
@aa = global [2 x ptr] [ptr null, ptr null]
@ab = global [2 x double] [double 0.0, double -0.0]
@ac = global [2 x i8] [i8 0, i8 0]
@ad = global <2 x float> zeroinitializer
@ae = global <2 x float> <float 0.0, float 0.0>
@af = global [2 x i8] c"\00\00"
@ag = global { i8, i8 } undef
@ah = global { i8, i8 } { i8 undef, i8 undef }
@ai = global [2 x i8] [i8 poison, i8 poison]
@aj = global [2 x i8] [i8 poison, i8 undef]
@ak = global <2 x i1> <i1 true, i1 false>
@al = global [2 x [3 x i8]] [[3 x i8] c"abc", [3 x i8] c"d\00\00"]
@am = global [3 x i16] [i16 65, i16 66, i16 0]

;;; equal elements
@a = global <4 x i32> splat (i32 7)
@b = global <2 x float> splat (float 1.0)
@c = global <3 x ptr> splat (ptr null)
define <vscale x 4 x i32> @f() {
  ret <vscale x 4 x i32> splat (i32 3)
}
define <vscale x 4 x i32> @z() {
  ret <vscale x 4 x i32> splat (i32 0)
}
define <vscale x 2 x float> @g(<vscale x 2 x float> %x) {
  %1 = fadd <vscale x 2 x float> %x, splat (float 0x3FF0000000000000)
  ret <vscale x 2 x float> %1
}
define <4 x i8> @h(<4 x i8> %x) {
  %1 = add <4 x i8> %x, splat (i8 -1)
  ret <4 x i8> %1
}

;;; expressions
;;: folded -- LLVM works out what needs no linker
%s = type { i8, i32, [4 x i64] }
@a = global [10 x i32] zeroinitializer
@b = global %s zeroinitializer
@as = addrspace(1) global i32 0
@0 = global ptr getelementptr inbounds ([10 x i32], ptr @a, i64 0, i64 3)
@1 = global ptr getelementptr (%s, ptr @b, i64 1, i32 2, i64 -1)
@2 = global i64 ptrtoint (ptr @a to i64)
@3 = global i32 trunc (i64 ptrtoint (ptr @a to i64) to i32)
@4 = global ptr inttoptr (i64 4096 to ptr)
@5 = global ptr addrspacecast (ptr addrspace(1) @as to ptr)
@6 = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))
@7 = global i64 add (i64 ptrtoint (ptr @a to i64), i64 7)
@8 = global i64 xor (i64 ptrtoint (ptr @a to i64), i64 -1)
@9 = global double bitcast (i64 4607182418800017408 to double)
@10 = global i64 bitcast (double 1.0 to i64)
@11 = global <2 x i32> bitcast (i64 1 to <2 x i32>)
@12 = global ptr getelementptr inbounds (i8, ptr getelementptr inbounds ([10 x i32], ptr @a, i64 0, i64 3), i64 -2)
@13 = global i64 sub nuw nsw (i64 ptrtoint (ptr @a to i64), i64 1)
@14 = global i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @14 to i64)) to i32)
@15 = global ptr getelementptr (i8, ptr null, i64 4)
@16 = global ptr bitcast (ptr @a to ptr)
@17 = global ptr getelementptr inbounds ({ [5 x ptr] }, ptr @b, i32 0, i32 0, i32 2)
@18 = global <2 x i64> <i64 ptrtoint (ptr @a to i64), i64 1>
@19 = global i64 ptrtoint (ptr getelementptr (i32, ptr null, i32 1) to i64)
@20 = global ptr getelementptr (i8, ptr @a, i64 sub (i64 ptrtoint (ptr @b to i64), i64 1))
@21 = global i128 ptrtoint (ptr @a to i128)
@22 = global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @as, i32 3)
@23 = global i8 add (i8 1, i8 2)
@24 = global i64 ptrtoint (ptr getelementptr (%s, ptr null, i64 0, i32 2) to i64)
@25 = global ptr getelementptr inbounds (%s, ptr @b, i64 0, i32 0)

;;; symbols and blocks
@a = global ptr @f
@b = global ptr dso_local_equivalent @f
@c = global ptr no_cfi @f
@d = global ptr blockaddress(@f, %x)
@e = global [2 x ptr] [ptr blockaddress(@f, %x), ptr blockaddress(@f, %"y z")]
@g = global i32 trunc (i64 sub (i64 ptrtoint (ptr dso_local_equivalent @f to i64), i64 ptrtoint (ptr @g to i64)) to i32)
@h = global ptr blockaddress(@f, %1)
define void @f(i1 %c) {
  br i1 %c, label %x, label %"y z"
x:
  br label %1
"y z":
  ret void
1:
  ret void
}

;;; blocks by number
define ptr @f(i1 %c) {
  br i1 %c, label %2, label %3
2:
  ret ptr blockaddress(@f, %3)
3:
  ret ptr blockaddress(@g, %"1")
}
define ptr @g() {
  br label %"1"
"1":
  ret ptr blockaddress(@h, %2)
}
define ptr @h(i1 %c) {
  br i1 %c, label %2, label %3
2:
  ret ptr blockaddress(@h, %3)
3:
  ret ptr blockaddress(@g, %"1")
}

;;; signed pointers
;;: not printed for 16 -- older LLVM cannot say it
@a = global i32 0
@b = constant ptr ptrauth (ptr @a, i32 2)
@c = constant ptr ptrauth (ptr @a, i32 2, i64 5)
@d = constant ptr ptrauth (ptr @a, i32 2, i64 5, ptr @c)
@e = constant [2 x ptr] [ptr ptrauth (ptr @a, i32 0, i64 42), ptr null]

;;; types that a target defines
@a = global target("spirv.DeviceEvent") zeroinitializer
define target("spirv.Sampler") @f(target("spirv.Image", void, 1, 0) %x, target("spirv.Sampler") %y) {
  %1 = alloca target("spirv.DeviceEvent"), align 8
  ret target("spirv.Sampler") poison
}
define target("foo", i32, { i8, ptr }, 3, 4) @g(target("foo", i32, { i8, ptr }, 3, 4) %x) {
  ret target("foo", i32, { i8, ptr }, 3, 4) %x
}

;;; ranges of addresses
@vt = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr null] }
@a = global ptr getelementptr inbounds inrange(-8, 16) ({ [3 x ptr] }, ptr @vt, i32 0, i32 0, i32 1)
@b = global ptr getelementptr inrange(0, 8) (i8, ptr @vt, i64 8)

;;; ranges of addresses before LLVM 19
;;: last read by 16
@vt = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr null] }
@a = global ptr getelementptr inbounds ({ [3 x ptr] }, ptr @vt, i32 0, inrange i32 0, i32 1)

;;; flags of addresses
@a = global [4 x i32] zeroinitializer
@b = global ptr getelementptr nuw (i8, ptr @a, i64 4)
@c = global ptr getelementptr nusw nuw (i8, ptr @a, i64 4)
@d = global ptr getelementptr inbounds nuw (i8, ptr @a, i64 4)

;;; vectors of addresses
;;: folded -- LLVM works out vectors element by element
@a = global [4 x i32] zeroinitializer
@b = global <2 x ptr> getelementptr ([4 x i32], ptr @a, i64 0, <2 x i64> <i64 1, i64 2>)
@c = global <2 x ptr> getelementptr (i32, <2 x ptr> <ptr @a, ptr @b>, i64 1)
@d = global <2 x ptr> inttoptr (<2 x i64> <i64 1, i64 2> to <2 x ptr>)
@e = global <2 x i64> ptrtoint (<2 x ptr> <ptr @a, ptr @b> to <2 x i64>)

;;; addresses without distance
@a = global [4 x i32] zeroinitializer
@b = global ptr getelementptr ([4 x i32], ptr @a, i64 0, i64 0)
@c = global i64 ptrtoint (ptr getelementptr ([4 x i32], ptr @a, i64 0, i64 0) to i64)
@d = global ptr getelementptr (i8, ptr getelementptr (i8, ptr @a, i64 4), i64 -4)
@e = global ptr getelementptr (<4 x i32>, ptr @a, i64 1, i64 2)
@g = global ptr getelementptr ({}, ptr @a, i64 5)

;;; distances that only the machine knows
;;: last read by 19
;;: folded -- LLVM names the instruction otherwise
@a = global [64 x i32] zeroinitializer
define ptr @f() {
  ret ptr getelementptr (<vscale x 4 x i32>, ptr @a, i64 1)
}
define i64 @g() {
  ret i64 ptrtoint (ptr getelementptr (<vscale x 1 x i8>, ptr null, i64 1) to i64)
}

;;; expressions of old text in a function
;;: last read by 16
;;: folded -- LLVM works out what it can
@a = global [10 x i32] zeroinitializer
@b = global i32 0
declare void @g(i64, i64, ...)
declare void @p(ptr)
define i64 @f(i1 %c) {
entry:
  call void (i64, i64, ...) @g(i64 mul (i64 ptrtoint (ptr @a to i64), i64 3), i64 shl (i64 ptrtoint (ptr @a to i64), i64 3))
  call void (i64, i64, ...) @g(i64 and (i64 ptrtoint (ptr @a to i64), i64 3), i64 or (i64 ptrtoint (ptr @a to i64), i64 3), i64 lshr (i64 ptrtoint (ptr @a to i64), i64 3), i64 ashr (i64 ptrtoint (ptr @a to i64), i64 3))
  call void (i64, i64, ...) @g(i64 0, i64 0, i128 zext (i64 ptrtoint (ptr @a to i64) to i128), i128 sext (i64 ptrtoint (ptr @a to i64) to i128), i32 select (i1 icmp ult (ptr @a, ptr @b), i32 1, i32 2))
  call void (i64, i64, ...) @g(i64 0, i64 0, double uitofp (i64 ptrtoint (ptr @a to i64) to double), i32 fptosi (double sitofp (i64 ptrtoint (ptr @a to i64) to double) to i32))
  call void (i64, i64, ...) @g(i64 0, i64 0, i64 extractelement (<2 x i64> <i64 ptrtoint (ptr @a to i64), i64 1>, i64 ptrtoint (ptr @a to i64)))
  call void (i64, i64, ...) @g(i64 0, i64 0, <2 x i64> insertelement (<2 x i64> <i64 1, i64 2>, i64 1, i64 ptrtoint (ptr @a to i64)))
  call void (i64, i64, ...) @g(i64 0, i64 0, { i64, i8 } { i64 mul (i64 ptrtoint (ptr @a to i64), i64 5), i8 1 })
  call void (i64, i64, ...) @g(i64 0, i64 0, <2 x i64> <i64 mul (i64 ptrtoint (ptr @a to i64), i64 5), i64 1>)
  call void @p(ptr getelementptr (i8, ptr @a, i64 mul (i64 ptrtoint (ptr @a to i64), i64 5)))
  br i1 icmp eq (ptr @a, ptr @b), label %x, label %y
x:
  %r = phi i64 [ mul (i64 ptrtoint (ptr @a to i64), i64 9), %entry ], [ shl (i64 ptrtoint (ptr @a to i64), i64 1), %y ]
  ret i64 %r
y:
  switch i64 and (i64 ptrtoint (ptr @a to i64), i64 7), label %x [ i64 0, label %x2 ]
x2:
  ret i64 select (i1 icmp sgt (ptr @a, ptr @b), i64 zext (i32 ptrtoint (ptr @a to i32) to i64), i64 -1)
}

;;; expressions of old text that are traps
;;: last read by 14
;;: folded -- LLVM works out what it can
;;: trap -- no program needs them
@a = global i32 0
define i32 @f() {
  ret i32 extractvalue ({ i32, i64 } select (i1 icmp eq (i32* @a, i32* null), { i32, i64 } { i32 1, i64 2 }, { i32, i64 } { i32 3, i64 4 }), 0)
}
define double @g() {
  ret double fneg (double uitofp (i64 ptrtoint (i32* @a to i64) to double))
}

;;; objects that refer to themselves
@a = global ptr @a
@b = global { ptr, ptr } { ptr @b, ptr getelementptr (i8, ptr @b, i64 8) }
@c = alias i8, ptr @a
define ptr @f() {
  ret ptr @f
}

;;; large objects
@a = global [1000000 x i8] zeroinitializer
@b = global [3 x [1000000 x { i8, ptr }]] undef
@c = external global [4294967296 x i64]
define ptr @f() {
  ret ptr getelementptr ([4294967296 x i64], ptr @c, i64 0, i64 4294967295)
}

;;; text and what follows it
@a = global [3 x i8] c"ab\00", section "x", align 1
@b = global { [2 x i8], i8 } { [2 x i8] c"xy", i8 0 }, align 1
