; Operations on numbers, aggregates and memory, and calls with variable arguments.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { i32, [2 x i64] }
%node = type { ptr, %pair, i8 }

declare i32 @many(i32, ...)
declare double @llvm.fmuladd.f64(double, double, double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)

define i64 @numbers(i32 noundef %a, i64 %b, double %d, i128 %w) {
  %1 = add nsw i32 %a, -7
  %2 = udiv exact i32 %1, 3
  %3 = shl nuw nsw i32 %2, 2
  %wide = sext i32 %3 to i64
  %4 = or disjoint i64 %wide, %b
  %5 = fmul fast double %d, 2.500000e+00
  %6 = call double @llvm.fmuladd.f64(double %5, double %d, double 0x7FF0000000000000)
  %7 = fptosi double %6 to i64
  %less = icmp slt i64 %4, %7
  %nan = fcmp uno double %6, 0.000000e+00
  %8 = select i1 %less, i64 %4, i64 %7
  %low = trunc i128 %w to i64
  %9 = xor i64 %8, %low
  %10 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %1)
  %sum = extractvalue { i32, i1 } %10, 0
  %11 = zext nneg i32 %sum to i64
  %12 = freeze i64 %11
  %13 = fneg double %d
  %bits = bitcast double %13 to i64
  %14 = sub i64 %12, %bits
  ret i64 %14
}

define i32 @memory(ptr %p, i64 %n) {
entry:
  %x = alloca i32, align 4
  %buffer = alloca [4 x i16], align 2
  %dynamic = alloca i8, i64 %n, align 16
  store i32 1, ptr %x, align 4
  %0 = getelementptr inbounds %node, ptr %p, i64 %n, i32 1, i32 1, i64 1
  %1 = load i64, ptr %0, align 8
  store volatile i64 %1, ptr %dynamic, align 1
  %2 = getelementptr inbounds [4 x i16], ptr %buffer, i64 0, i64 2
  store i16 9, ptr %2, align 2
  %3 = load i16, ptr %2, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %dynamic, ptr align 8 %p, i64 %n, i1 false)
  %4 = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  store atomic i32 %4, ptr %p release, align 4
  %5 = ptrtoint ptr %p to i64
  %6 = inttoptr i64 %5 to ptr
  %7 = load i32, ptr %x, align 4
  %8 = insertvalue %pair { i32 undef, [2 x i64] zeroinitializer }, i64 %1, 1, 0
  store %pair %8, ptr %6, align 8
  %9 = tail call i32 (i32, ...) @many(i32 %7, double 1.0, ptr nonnull %6) #0
  ret i32 %9
}

define <4 x i32> @lanes(<4 x i32> %a, <4 x float> %f) {
  %m = icmp ugt <4 x i32> %a, splat (i32 4)
  %n = select <4 x i1> %m, <4 x i32> %a, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %c = fptoui <4 x float> %f to <4 x i32>
  %r = mul <4 x i32> %n, %c
  ret <4 x i32> %r
}

define i32 @loop(i32 %x) {
entry:
  %none = icmp eq i32 %x, 0
  br i1 %none, label %end, label %again

again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %next = add nuw i32 %i, 1
  %more = icmp ne i32 %next, %x
  br i1 %more, label %again, label %end, !llvm.loop !0

end:
  %r = phi i32 [ 1, %entry ], [ %next, %again ]
  ret i32 %r
}

define i32 @variadic(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  %v = va_arg ptr %list, i32
  %r = musttail call i32 (i32, ...) @variadic(i32 %v, ...)
  ret i32 %r
}

attributes #0 = { nounwind willreturn memory(argmem: readwrite) "no-builtin-many" }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
