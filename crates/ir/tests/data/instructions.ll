source_filename = "instructions.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.point = type { i32, i64, [4 x i16] }
%packed = type <{ i8, i32 }>
$inline = comdat any

@counter = internal global i32 7, align 4
@table = private unnamed_addr constant [3 x i8] c"a\00\22", align 1
@place = global ptr getelementptr inbounds (%struct.point, ptr @origin, i64 0, i32 2, i64 1)
@origin = dso_local global %struct.point zeroinitializer, section "here", align 8
@targets = internal constant [2 x ptr] [ptr blockaddress(@jump, %one), ptr blockaddress(@jump, %two)]
@wide = global i128 170141183460469231731687303715884105727
@numbers = global { float, double, half, x86_fp80 } { float 0x3FF8000000000000, double -0.0, half 0xH3C00, x86_fp80 0xK3FFF8000000000000000 }
@other = alias i32, ptr @counter
@per_thread = external thread_local(initialexec) global i32

declare i32 @printf(ptr noundef, ...) #1
declare void @llvm.memcpy.p0.p0.i64(ptr noalias, ptr noalias, i64, i1 immarg)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)

define dso_local signext i16 @arithmetic(i32 noundef %a, i32 %b, double %d) #0 {
entry:
  %sum = add nsw i32 %a, %b
  %pair = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %sum, i32 1)
  %value = extractvalue { i32, i1 } %pair, 0
  %less = icmp slt i32 %value, %b
  %float = sitofp i32 %value to double
  %ordered = fcmp olt double %float, %d
  %both = and i1 %less, %ordered
  %chosen = select i1 %both, i32 %a, i32 -1
  %narrow = trunc i32 %chosen to i16
  ret i16 %narrow
}

define i32 @loop(ptr %list, i64 %n) local_unnamed_addr {
  %slot = alloca i32, align 4
  %copy = alloca %struct.point, align 8
  store i32 0, ptr %slot, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copy, ptr align 8 @origin, i64 24, i1 false)
  br label %3

3:
  %4 = phi i64 [ 0, %0 ], [ %9, %3 ]
  %5 = getelementptr inbounds i32, ptr %list, i64 %4
  %6 = load i32, ptr %5, align 4
  %7 = load i32, ptr %slot, align 4
  %8 = add i32 %7, %6
  store i32 %8, ptr %slot, align 4
  %9 = add nuw i64 %4, 1
  %10 = icmp ult i64 %9, %n
  br i1 %10, label %3, label %11

11:
  %12 = load i32, ptr %slot, align 4
  switch i32 %12, label %13 [
    i32 0, label %15
    i32 7, label %15
  ]

13:
  %14 = call i32 (ptr, ...) @printf(ptr @table, i32 %12)
  br label %15

15:
  %16 = phi i32 [ 1, %11 ], [ 1, %11 ], [ %14, %13 ]
  ret i32 %16
}

define void @jump(ptr %target) {
  indirectbr ptr %target, [label %one, label %two]
one:
  fence seq_cst
  ret void
two:
  %old = atomicrmw add ptr @counter, i32 1 monotonic, align 4
  %swapped = cmpxchg weak volatile ptr @counter, i32 %old, i32 3 acq_rel acquire
  unreachable
}

define <4 x i32> @vectors(<4 x i32> %v, i32 %x) {
  %inserted = insertelement <4 x i32> %v, i32 %x, i64 2
  %mixed = shufflevector <4 x i32> %inserted, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 poison>
  %element = extractelement <4 x i32> %mixed, i32 0
  %asm = call i32 asm sideeffect "nop", "=r,r"(i32 %element) #2
  %frozen = freeze <4 x i32> %mixed
  ret <4 x i32> %frozen
}

attributes #0 = { noinline nounwind "target-cpu"="x86-64" }
attributes #1 = { "frame-pointer"="all" }
attributes #2 = { nounwind memory(none) }
