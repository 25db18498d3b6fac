; Programs: what our print does is what the text does.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

;;; conventions
;;: run
declare i32 @printf(ptr, ...)
@fmt = private constant [21 x i8] c"%lld %lld %f %d %s\0A\00\00"
@str = private constant [3 x i8] c"hi\00"
%big = type { i64, i64, i64, double }
%pair = type { i64, double }
%packed = type <{ i8, i32, i16 }>
define internal void @fill(ptr sret(%big) align 8 %r, ptr byval(%big) align 8 %b, i8 signext %c, i16 zeroext %d) {
  %p = getelementptr %big, ptr %b, i32 0, i32 1
  %v = load i64, ptr %p
  %w = add i64 %v, 100
  %ce = sext i8 %c to i64
  %de = zext i16 %d to i64
  %s = add i64 %ce, %de
  store i64 %s, ptr %r
  %q = getelementptr %big, ptr %r, i32 0, i32 1
  store i64 %w, ptr %q
  %q2 = getelementptr %big, ptr %r, i32 0, i32 2
  store i64 7, ptr %q2
  %q3 = getelementptr %big, ptr %r, i32 0, i32 3
  store double 2.5, ptr %q3
  store i64 -1, ptr %p
  ret void
}
define %pair @make(i64 %a, double %b) {
  %1 = insertvalue %pair poison, i64 %a, 0
  %2 = insertvalue %pair %1, double %b, 1
  ret %pair %2
}
define { i8, i128, <2 x i32>, [2 x i16] } @odd(i128 %x, <2 x i32> %v, [2 x i16] %a) {
  %t = trunc i128 %x to i8
  %1 = insertvalue { i8, i128, <2 x i32>, [2 x i16] } undef, i8 %t, 0
  %2 = insertvalue { i8, i128, <2 x i32>, [2 x i16] } %1, i128 %x, 1
  %3 = insertvalue { i8, i128, <2 x i32>, [2 x i16] } %2, <2 x i32> %v, 2
  %4 = insertvalue { i8, i128, <2 x i32>, [2 x i16] } %3, [2 x i16] %a, 3
  ret { i8, i128, <2 x i32>, [2 x i16] } %4
}
define i32 @sum(i32 %n, ...) {
  %l = alloca [24 x i8], align 16
  call void @llvm.va_start(ptr %l)
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %i2, %body ]
  %s = phi i32 [ 0, %0 ], [ %s2, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %done
body:
  %v = va_arg ptr %l, i32
  %s2 = add i32 %s, %v
  %i2 = add i32 %i, 1
  br label %head
done:
  %l2 = alloca [24 x i8], align 16
  call void @llvm.va_copy(ptr %l2, ptr %l)
  %d = va_arg ptr %l2, double
  %di = fptosi double %d to i32
  %r = add i32 %s, %di
  call void @llvm.va_end(ptr %l2)
  call void @llvm.va_end(ptr %l)
  ret i32 %r
}
declare void @llvm.va_start(ptr)
declare void @llvm.va_end(ptr)
declare void @llvm.va_copy(ptr, ptr)
define i32 @main(i32 %argc, ptr %argv) {
  %b = alloca %big, align 8
  %r = alloca %big, align 8
  store %big { i64 1, i64 2, i64 3, double 4.0 }, ptr %b
  call void @fill(ptr sret(%big) align 8 %r, ptr byval(%big) align 8 %b, i8 signext -3, i16 zeroext -1)
  %x0 = load i64, ptr %r
  %bp = getelementptr %big, ptr %b, i32 0, i32 1
  %x1 = load i64, ptr %bp
  %rp = getelementptr %big, ptr %r, i32 0, i32 3
  %x2 = load double, ptr %rp
  %1 = call i32 (ptr, ...) @printf(ptr @fmt, i64 %x0, i64 %x1, double %x2, i32 -5, ptr @str)
  %pr = call %pair @make(i64 9, double 1.25)
  %p0 = extractvalue %pair %pr, 0
  %p1 = extractvalue %pair %pr, 1
  %s = call i32 (i32, ...) @sum(i32 3, i32 10, i32 20, i32 30, double 4.5)
  %2 = call i32 (ptr, ...) @printf(ptr @fmt, i64 %p0, i64 1, double %p1, i32 %s, ptr @str)
  %o = call { i8, i128, <2 x i32>, [2 x i16] } @odd(i128 18446744073709551873, <2 x i32> <i32 5, i32 -6>, [2 x i16] [i16 1, i16 -2])
  %o1 = extractvalue { i8, i128, <2 x i32>, [2 x i16] } %o, 1
  %o1h = lshr i128 %o1, 64
  %o1t = trunc i128 %o1h to i64
  %o2 = extractvalue { i8, i128, <2 x i32>, [2 x i16] } %o, 2
  %o2e = extractelement <2 x i32> %o2, i32 1
  %o3 = extractvalue { i8, i128, <2 x i32>, [2 x i16] } %o, 3, 1
  %o3e = sext i16 %o3 to i64
  %3 = call i32 (ptr, ...) @printf(ptr @fmt, i64 %o1t, i64 %o3e, double 0.0, i32 %o2e, ptr @str)
  ret i32 3
}

;;; vectors
;;: run
declare i32 @printf(ptr, ...)
@fmt = private constant [18 x i8] c"%d %d %d %d %d  \0A\00"
@arr = global [6 x i32] [i32 10, i32 11, i32 12, i32 13, i32 14, i32 15]
define internal void @show(<4 x i32> %v, i32 %n) {
  %a = extractelement <4 x i32> %v, i32 0
  %b = extractelement <4 x i32> %v, i64 1
  %c = extractelement <4 x i32> %v, i8 2
  %d = extractelement <4 x i32> %v, i32 3
  %1 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %a, i32 %b, i32 %c, i32 %d, i32 %n)
  ret void
}
define i32 @main() {
  %v = load <4 x i32>, ptr @arr, align 4
  call void @show(<4 x i32> %v, i32 0)
  %s = shufflevector <4 x i32> %v, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 7, i32 0, i32 5, i32 2>
  call void @show(<4 x i32> %s, i32 1)
  %a = add <4 x i32> %v, <i32 1, i32 -1, i32 100, i32 0>
  call void @show(<4 x i32> %a, i32 2)
  %c = icmp sgt <4 x i32> %a, <i32 10, i32 10, i32 10, i32 13>
  %sel = select <4 x i1> %c, <4 x i32> %v, <4 x i32> zeroinitializer
  call void @show(<4 x i32> %sel, i32 3)
  %z = zext <4 x i1> %c to <4 x i32>
  call void @show(<4 x i32> %z, i32 4)
  %g = getelementptr i32, ptr @arr, <4 x i64> <i64 3, i64 0, i64 -1, i64 5>
  %g1 = getelementptr i32, <4 x ptr> %g, <4 x i64> <i64 0, i64 1, i64 2, i64 -5>
  %p0 = extractelement <4 x ptr> %g1, i32 0
  %p1 = extractelement <4 x ptr> %g1, i32 1
  %p2 = extractelement <4 x ptr> %g1, i32 2
  %p3 = extractelement <4 x ptr> %g1, i32 3
  %l0 = load i32, ptr %p0
  %l1 = load i32, ptr %p1
  %l2 = load i32, ptr %p2
  %l3 = load i32, ptr %p3
  %r = call i32 (ptr, ...) @printf(ptr @fmt, i32 %l0, i32 %l1, i32 %l2, i32 %l3, i32 5)
  %end = getelementptr i32, ptr @arr, i64 6
  %back = getelementptr [2 x i32], ptr %end, i64 -1, i64 -1
  %lb = load i32, ptr %back
  %bi = bitcast <4 x i32> %v to i128
  %bs = lshr i128 %bi, 96
  %bt = trunc i128 %bs to i32
  %bb = bitcast <4 x i1> %c to i4
  %be = zext i4 %bb to i32
  %m = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr getelementptr (i32, ptr @arr, i64 2), i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 true>, <4 x i32> splat (i32 -1))
  call void @show(<4 x i32> %m, i32 6)
  %red = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %m)
  %r2 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %lb, i32 %bt, i32 %be, i32 %red, i32 7)
  ret i32 0
}
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

;;; intrinsics
;;: run
declare i32 @printf(ptr, ...)
@fmt = private constant [12 x i8] c"%llx %llx \0A\00"
define internal void @s(i64 %a, i64 %b) {
  %1 = call i32 (ptr, ...) @printf(ptr @fmt, i64 %a, i64 %b)
  ret void
}
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare { i33, i1 } @llvm.usub.with.overflow.i33(i33, i33)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i16 @llvm.sshl.sat.i16(i16, i16)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i64 @llvm.bswap.i64(i64)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.fma.f64(double, double, double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
define i32 @main() {
  %a = alloca [16 x i8], align 16
  %b = alloca [16 x i8], align 16
  %one = alloca i32, align 4
  store volatile i32 2147483647, ptr %one
  %x = load volatile i32, ptr %one
  %1 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x, i32 1)
  %2 = extractvalue { i32, i1 } %1, 0
  %3 = extractvalue { i32, i1 } %1, 1
  %4 = zext i32 %2 to i64
  %5 = zext i1 %3 to i64
  call void @s(i64 %4, i64 %5)
  %6 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x, i32 3)
  %7 = extractvalue { i32, i1 } %6, 0
  %8 = extractvalue { i32, i1 } %6, 1
  %9 = zext i32 %7 to i64
  %10 = zext i1 %8 to i64
  call void @s(i64 %9, i64 %10)
  %x33 = zext i32 %x to i33
  %11 = call { i33, i1 } @llvm.usub.with.overflow.i33(i33 1, i33 %x33)
  %12 = extractvalue { i33, i1 } %11, 0
  %13 = extractvalue { i33, i1 } %11, 1
  %14 = zext i33 %12 to i64
  %15 = zext i1 %13 to i64
  call void @s(i64 %14, i64 %15)
  %x8 = trunc i32 %x to i8
  %16 = call i8 @llvm.sadd.sat.i8(i8 %x8, i8 -128)
  %17 = call i8 @llvm.usub.sat.i8(i8 3, i8 %x8)
  %18 = zext i8 %16 to i64
  %19 = zext i8 %17 to i64
  call void @s(i64 %18, i64 %19)
  %x16 = trunc i32 %x to i16
  %20 = call i16 @llvm.sshl.sat.i16(i16 300, i16 8)
  %21 = zext i16 %20 to i64
  %22 = call i32 @llvm.fshl.i32(i32 %x, i32 123456, i32 37)
  %23 = zext i32 %22 to i64
  call void @s(i64 %21, i64 %23)
  %24 = call i64 @llvm.bswap.i64(i64 81985529216486895)
  %25 = call i32 @llvm.bitreverse.i32(i32 %x)
  %26 = zext i32 %25 to i64
  call void @s(i64 %24, i64 %26)
  %27 = call i32 @llvm.ctpop.i32(i32 %x)
  %28 = call i32 @llvm.ctlz.i32(i32 0, i1 false)
  %29 = zext i32 %27 to i64
  %30 = zext i32 %28 to i64
  call void @s(i64 %29, i64 %30)
  %31 = call i32 @llvm.smax.i32(i32 %x, i32 -1)
  %32 = call i32 @llvm.umin.i32(i32 %x, i32 -1)
  %33 = zext i32 %31 to i64
  %34 = zext i32 %32 to i64
  call void @s(i64 %33, i64 %34)
  %35 = call i32 @llvm.fptosi.sat.i32.f64(double 1.0e300)
  %36 = call i1 @llvm.is.fpclass.f64(double 0x7FF8000000000000, i32 3)
  %37 = zext i32 %35 to i64
  %38 = zext i1 %36 to i64
  call void @s(i64 %37, i64 %38)
  call void @llvm.memset.p0.i64(ptr %a, i8 17, i64 16, i1 false)
  store i8 34, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %b, ptr align 16 %a, i64 16, i1 false)
  %bo = getelementptr i8, ptr %b, i64 3
  call void @llvm.memmove.p0.p0.i64(ptr %bo, ptr %b, i64 9, i1 true)
  %39 = load i64, ptr %b
  %40 = getelementptr i64, ptr %b, i64 1
  %41 = load i64, ptr %40
  call void @s(i64 %39, i64 %41)
  %sp = call ptr @llvm.stacksave.p0()
  %n = alloca i8, i32 100, align 1
  store i8 1, ptr %n
  call void @llvm.stackrestore.p0(ptr %sp)
  ret i32 0
}

;;; atomics
;;: run
declare i32 @printf(ptr, ...)
@fmt = private constant [7 x i8] c"%x %x\0A\00"
@g = global i32 5, align 4
@f = global float 1.5, align 4
@p = global ptr @g, align 8
define internal void @s(i32 %a) {
  %v = load atomic i32, ptr @g seq_cst, align 4
  %1 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %a, i32 %v)
  ret void
}
define i32 @main() {
  %1 = atomicrmw add ptr @g, i32 7 monotonic
  call void @s(i32 %1)
  %2 = atomicrmw sub ptr @g, i32 100 seq_cst, align 4
  call void @s(i32 %2)
  %3 = atomicrmw nand ptr @g, i32 255 acquire
  call void @s(i32 %3)
  %4 = atomicrmw max ptr @g, i32 -9 release
  call void @s(i32 %4)
  %5 = atomicrmw umin ptr @g, i32 33 acq_rel
  call void @s(i32 %5)
  %6 = atomicrmw xchg ptr @g, i32 1234 seq_cst
  call void @s(i32 %6)
  %7 = cmpxchg ptr @g, i32 1234, i32 99 seq_cst monotonic
  %8 = extractvalue { i32, i1 } %7, 1
  %9 = zext i1 %8 to i32
  call void @s(i32 %9)
  %10 = cmpxchg weak ptr @g, i32 1, i32 98 acq_rel acquire
  %11 = extractvalue { i32, i1 } %10, 0
  call void @s(i32 %11)
  %12 = atomicrmw fadd ptr @f, float 2.25 seq_cst
  %13 = load i32, ptr @f
  call void @s(i32 %13)
  store atomic i32 77, ptr @g release, align 4
  fence seq_cst
  fence syncscope("singlethread") acquire
  %14 = atomicrmw uinc_wrap ptr @g, i32 77 seq_cst
  call void @s(i32 %14)
  %15 = load atomic ptr, ptr @p acquire, align 8
  %16 = load volatile i32, ptr %15
  call void @s(i32 %16)
  ret i32 0
}

;;; control flow, storage and start-up
;;: run
declare i32 @printf(ptr, ...)
declare i32 @puts(ptr)
@fmt = private constant [8 x i8] c"%d %d \0A\00"
@tl = thread_local global i32 41
@tl2 = internal thread_local(localexec) global i32 1
@order = internal global i32 0
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 500, ptr @c2, ptr null }, { i32, ptr, ptr } { i32 200, ptr @c1, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @d1, ptr null }]
@table = internal constant [3 x ptr] [ptr blockaddress(@jump, %a), ptr blockaddress(@jump, %b), ptr blockaddress(@jump, %c)]
@al = alias i32, getelementptr ([3 x i32], ptr @data, i64 0, i64 2)
@data = global [3 x i32] [i32 7, i32 8, i32 9]
@bye = private constant [4 x i8] c"bye\00"
@late = ifunc i32 (), ptr @resolve
define internal void @c1() {
  store i32 1, ptr @order
  ret void
}
define internal void @c2() {
  %o = load i32, ptr @order
  %n = mul i32 %o, 10
  store i32 %n, ptr @order
  ret void
}
define internal void @d1() {
  %1 = call i32 @puts(ptr @bye)
  ret void
}
define internal ptr @resolve() {
  ret ptr @impl
}
define internal i32 @impl() {
  ret i32 555
}
define i32 @jump(i32 %i) {
  %p = getelementptr [3 x ptr], ptr @table, i64 0, i32 %i
  %t = load ptr, ptr %p
  indirectbr ptr %t, [label %a, label %b, label %c]
a:
  ret i32 100
b:
  ret i32 200
c:
  ret i32 300
}
define i32 @wide(i128 %x) {
  switch i128 %x, label %d [
    i128 0, label %a
    i128 170141183460469231731687303715884105727, label %b
    i128 -1, label %c
    i128 18446744073709551616, label %e
  ]
a:
  ret i32 1
b:
  ret i32 2
c:
  ret i32 3
e:
  ret i32 4
d:
  ret i32 0
}
define i32 @odd(i33 %x) {
  switch i33 %x, label %d [
    i33 -1, label %a
    i33 -4294967296, label %b
    i33 5, label %a
  ]
a:
  ret i32 1
b:
  ret i32 2
d:
  ret i32 0
}
define i32 @main() {
  %o = load i32, ptr @order
  %t = load i32, ptr @tl
  %1 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %o, i32 %t)
  %2 = add i32 %t, 1
  store i32 %2, ptr @tl
  %3 = load i32, ptr @tl
  %4 = load i32, ptr @tl2
  %5 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %3, i32 %4)
  %j0 = call i32 @jump(i32 0)
  %j1 = call i32 @jump(i32 1)
  %j2 = call i32 @jump(i32 2)
  %6 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %j0, i32 %j1)
  %7 = load i32, ptr @al
  %8 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %j2, i32 %7)
  %w0 = call i32 @wide(i128 340282366920938463463374607431768211455)
  %w1 = call i32 @wide(i128 170141183460469231731687303715884105727)
  %9 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %w0, i32 %w1)
  %w2 = call i32 @wide(i128 18446744073709551616)
  %w3 = call i32 @wide(i128 1)
  %10 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %w2, i32 %w3)
  %o0 = call i32 @odd(i33 8589934591)
  %o1 = call i32 @odd(i33 4294967296)
  %11 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %o0, i32 %o1)
  %l = call i32 @late()
  %12 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %l, i32 0)
  ret i32 0
}

;;; unwinding
;;: run
declare i32 @printf(ptr, ...)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
@_ZTIi = external constant ptr
@_ZTId = external constant ptr
@fmt = private constant [11 x i8] c"%d caught\0A\00"
@cl = private constant [9 x i8] c"cleanup\0A\00"
define internal i32 @thrower(i32 %x) {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  store i32 %x, ptr %e
  %c = icmp eq i32 %x, 0
  br i1 %c, label %no, label %yes
yes:
  call void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null)
  unreachable
no:
  ret i32 1
}
define internal void @middle(i32 %x) personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @thrower(i32 %x) to label %ok unwind label %pad
ok:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup catch ptr @_ZTId
  %sel = extractvalue { ptr, i32 } %l, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTId)
  %is = icmp eq i32 %sel, %id
  br i1 %is, label %bad, label %go
bad:
  unreachable
go:
  %1 = call i32 (ptr, ...) @printf(ptr @cl)
  resume { ptr, i32 } %l
}
declare i32 @llvm.eh.typeid.for.p0(ptr)
define i32 @main() personality ptr @__gxx_personality_v0 {
  invoke void @middle(i32 0) to label %a unwind label %pad
a:
  invoke void @middle(i32 42) to label %b unwind label %pad
b:
  ret i32 1
pad:
  %l = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null
  %e = extractvalue { ptr, i32 } %l, 0
  %p = call ptr @__cxa_begin_catch(ptr %e)
  %v = load i32, ptr %p
  call void @__cxa_end_catch()
  %1 = call i32 (ptr, ...) @printf(ptr @fmt, i32 %v)
  ret i32 0
}
