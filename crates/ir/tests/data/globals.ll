; Variables, constants of every format, aliases, block addresses and other names.
source_filename = "globals.c"
target triple = "x86_64-pc-linux-gnu"

module asm ".globl marker"

%list = type { ptr, i32, [3 x i8] }
%0 = type <{ i8, i32 }>
%later = type opaque

$group = comdat any

@text = private unnamed_addr constant [6 x i8] c"a\22\\\00\FFz", align 1
@first = internal global %list { ptr @second, i32 -1, [3 x i8] c"abc" }, align 8
@second = dso_local global %list zeroinitializer, section ".data.x", comdat($group), align 16
@packed = global %0 <{ i8 1, i32 2 }>
@inside = hidden constant ptr getelementptr inbounds (%list, ptr @second, i64 0, i32 2, i64 1)
@distance = global i64 sub (i64 ptrtoint (ptr @second to i64), i64 ptrtoint (ptr @first to i64))
@mine = thread_local(initialexec) global i32 0
@elsewhere = external global %later, align 4
@maybe = extern_weak global i32
@half = global half 0xH3C00
@brain = global bfloat 0xR3F80
@single = global float 0x3FB99999A0000000
@double = global double -1.5e-3
@extended = global x86_fp80 0xK3FFF8000000000000000
@quad = global fp128 0xL00000000000000003FFF000000000000
@wide = global i256 -123456789012345678901234567890123456789012345678901234567890
@huge = global i8388608 -2
@vector = global <3 x i16> <i16 1, i16 undef, i16 -3>
@same = global <8 x i8> splat (i8 7)
@pointers = global [2 x ptr] [ptr null, ptr @resolver]
@many = global [1152921504606846976 x i8] zeroinitializer
@llvm.used = appending global [1 x ptr] [ptr @first], section "llvm.metadata"
@labels = constant [2 x ptr] [ptr blockaddress(@dispatch, %one), ptr blockaddress(@dispatch, %3)]
@stub = global i32 trunc (i64 sub (i64 ptrtoint (ptr dso_local_equivalent @callee to i64), i64 ptrtoint (ptr @stub to i64)) to i32)
@space = addrspace(3) global i32 0

@other = weak alias %list, ptr @second
@tail = alias i32, getelementptr inbounds (i8, ptr @second, i64 8)
@chosen = ifunc void (), ptr @resolver

declare void @callee()
declare extern_weak void @optional() local_unnamed_addr #1

define internal ptr @resolver() #0 {
  ret ptr @callee
}

define void @dispatch(ptr %0, i1 %1) {
  indirectbr ptr %0, [label %one, label %3]

one:
  call void @chosen()
  br label %3

3:
  %4 = phi ptr [ %0, %2 ], [ null, %one ]
  store ptr select (i1 icmp eq (ptr @maybe, ptr null), ptr @first, ptr @other), ptr %4
  call void asm sideeffect "nop # $0", "r,~{memory}"(i32 1)
  ret void
}

define linkonce_odr i32 @"quoted name\01"(i32 %"a b") comdat($group) align 32 gc "none" {
"the block":
  %"x y" = add i32 %"a b", 1
  ret i32 %"x y"
}

attributes #0 = { noinline nounwind optnone uwtable "target-cpu"="x86-64" "target-features"="+cx8,+mmx" }
attributes #1 = { nofree cold }
