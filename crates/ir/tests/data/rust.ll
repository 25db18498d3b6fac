; What rustc writes, with words that came after LLVM 19.
source_filename = "numbers.7rcbfp3g-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%"core::fmt::Arguments<'_>" = type { ptr, ptr }

@alloc_1 = private unnamed_addr constant [10 x i8] c"numbers.rs", align 1
@alloc_2 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_1, [16 x i8] c"\0A\00\00\00\00\00\00\00\05\00\00\00\11\00\00\00" }>, align 8

; numbers::total
; Function Attrs: nonlazybind uwtable
define noundef range(i32 0, 100) i32 @_ZN7numbers5total17h0123456789abcdefE(ptr noalias noundef nonnull readonly align 4 captures(none) %values.0, i64 noundef range(i64 0, 2305843009213693952) %values.1) unnamed_addr #0 {
start:
  %sum = alloca [4 x i8], align 4
  store i32 0, ptr %sum, align 4
  %end = getelementptr inbounds nuw i32, ptr %values.0, i64 %values.1
  %_empty = icmp samesign eq i64 %values.1, 0
  br i1 %_empty, label %bb3, label %bb1

bb1:                                              ; preds = %bb2, %start
  %iter = phi ptr [ %values.0, %start ], [ %next, %bb2 ]
  %next = getelementptr inbounds nuw i8, ptr %iter, i64 4
  %_7 = load i32, ptr %iter, align 4, !noundef !0, !range !1
  %_8 = load i32, ptr %sum, align 4
  %_9.0 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %_8, i32 %_7)
  %_10 = extractvalue { i32, i1 } %_9.0, 0
  %_11 = extractvalue { i32, i1 } %_9.0, 1
  store i32 %_10, ptr %sum, align 4
  br i1 %_11, label %panic, label %bb2, !prof !2

bb2:
  %_12 = icmp eq ptr %next, %end
  br i1 %_12, label %bb3, label %bb1

bb3:
  %_13 = load i32, ptr %sum, align 4
  ret i32 %_13

panic:
  call void @_RNvNtNtCs1_4core9panicking11panic_const24panic_const_add_overflow(ptr noundef nonnull align 8 @alloc_2) #2
  unreachable
}

define { i32, i32 } @_RNvCs1_7numbers4pick(i8 noundef %tag, ptr dead_on_unwind noalias nocapture noundef writable writeonly sret([24 x i8]) align 8 dereferenceable(24) %out) unnamed_addr #0 {
  call void @llvm.lifetime.start.p0(ptr nonnull %out)
  %1 = trunc nuw i8 %tag to i1
  %2 = zext i8 %tag to i64
  switch i64 %2, label %default.unreachable [
    i64 0, label %a
    i64 1, label %b
  ]

default.unreachable:
  unreachable

a:
  %3 = tail call i8 @llvm.scmp.i8.i64(i64 %2, i64 1)
  store i8 %3, ptr %out, align 8
  br label %b

b:
  %4 = phi i32 [ 1, %a ], [ undef, %0 ]
  %5 = insertvalue { i32, i32 } poison, i32 %4, 0
  %6 = insertvalue { i32, i32 } %5, i32 7, 1
  call void @llvm.assume(i1 true) [ "align"(ptr %out, i64 8) ]
  ret { i32, i32 } %6
}

declare void @_RNvNtNtCs1_4core9panicking11panic_const24panic_const_add_overflow(ptr noalias noundef readonly align 8 dereferenceable(24)) unnamed_addr #1
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32) #3
declare void @llvm.lifetime.start.p0(ptr captures(none)) #4
declare i8 @llvm.scmp.i8.i64(i64, i64)
declare void @llvm.assume(i1 noundef)

attributes #0 = { nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { cold minsize noinline noreturn nonlazybind optsize uwtable }
attributes #2 = { cold noreturn }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!0 = !{}
!1 = !{i32 0, i32 100}
!2 = !{!"branch_weights", i32 1, i32 2000}
