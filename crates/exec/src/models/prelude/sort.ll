; Made of the C source beside it.

define weak void @qsort_r(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) {
  %6 = mul i64 %1, %2
  %7 = alloca i8, i64 %6, align 16
  call void @merge_sort(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4, ptr %7)
  ret void
}

define internal void @merge_sort(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4, ptr %5) {
  %7 = icmp ule i64 %1, 1
  br i1 %7, label %8, label %9

8:
  br label %42

9:
  %10 = udiv i64 %1, 2
  %11 = sub i64 %1, %10
  %12 = mul i64 %10, %2
  %13 = getelementptr inbounds i8, ptr %0, i64 %12
  call void @merge_sort(ptr %0, i64 %10, i64 %2, ptr %3, ptr %4, ptr %5)
  call void @merge_sort(ptr %13, i64 %11, i64 %2, ptr %3, ptr %4, ptr %5)
  br label %14

14:
  %.055 = phi i64 [ %10, %9 ], [ %.156, %31 ]
  %.053 = phi i64 [ %11, %9 ], [ %.154, %31 ]
  %.051 = phi ptr [ %0, %9 ], [ %.152, %31 ]
  %.050 = phi ptr [ %13, %9 ], [ %.1, %31 ]
  %.0 = phi ptr [ %5, %9 ], [ %32, %31 ]
  %15 = icmp ugt i64 %.055, 0
  br i1 %15, label %16, label %18

16:
  %17 = icmp ugt i64 %.053, 0
  br label %18

18:
  %19 = phi i1 [ false, %14 ], [ %17, %16 ]
  br i1 %19, label %20, label %33

20:
  %21 = call i32 %3(ptr %.051, ptr %.050, ptr %4)
  %22 = icmp sle i32 %21, 0
  br i1 %22, label %23, label %27

23:
  %24 = call ptr @memcpy(ptr %.0, ptr %.051, i64 %2)
  %25 = getelementptr inbounds i8, ptr %.051, i64 %2
  %26 = add i64 %.055, -1
  br label %31

27:
  %28 = call ptr @memcpy(ptr %.0, ptr %.050, i64 %2)
  %29 = getelementptr inbounds i8, ptr %.050, i64 %2
  %30 = add i64 %.053, -1
  br label %31

31:
  %.156 = phi i64 [ %26, %23 ], [ %.055, %27 ]
  %.154 = phi i64 [ %.053, %23 ], [ %30, %27 ]
  %.152 = phi ptr [ %25, %23 ], [ %.051, %27 ]
  %.1 = phi ptr [ %.050, %23 ], [ %29, %27 ]
  %32 = getelementptr inbounds i8, ptr %.0, i64 %2
  br label %14

33:
  %34 = icmp ugt i64 %.055, 0
  br i1 %34, label %35, label %38

35:
  %36 = mul i64 %.055, %2
  %37 = call ptr @memcpy(ptr %.0, ptr %.051, i64 %36)
  br label %38

38:
  %39 = sub i64 %1, %.053
  %40 = mul i64 %39, %2
  %41 = call ptr @memcpy(ptr %0, ptr %5, i64 %40)
  br label %42

42:
  ret void
}

define weak void @qsort(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = mul i64 %1, %2
  %6 = alloca i8, i64 %5, align 16
  call void @merge_sort(ptr %0, i64 %1, i64 %2, ptr %3, ptr null, ptr %6)
  ret void
}

define weak ptr @bsearch(ptr %0, ptr %1, i64 %2, i64 %3, ptr %4) {
  br label %6

6:
  %.021 = phi i64 [ %2, %5 ], [ %.223, %23 ]
  %.018 = phi i64 [ 0, %5 ], [ %.220, %23 ]
  %.017 = phi ptr [ undef, %5 ], [ %.1, %23 ]
  %7 = icmp ult i64 %.018, %.021
  br i1 %7, label %8, label %24

8:
  %9 = add i64 %.018, %.021
  %10 = udiv i64 %9, 2
  %11 = mul i64 %10, %3
  %12 = getelementptr inbounds i8, ptr %1, i64 %11
  %13 = call i32 %4(ptr %0, ptr %12)
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %15, label %16

15:
  br label %22

16:
  %17 = icmp slt i32 %13, 0
  br i1 %17, label %18, label %19

18:
  br label %21

19:
  %20 = add i64 %10, 1
  br label %21

21:
  %.122 = phi i64 [ %10, %18 ], [ %.021, %19 ]
  %.119 = phi i64 [ %.018, %18 ], [ %20, %19 ]
  br label %22

22:
  %.223 = phi i64 [ %.021, %15 ], [ %.122, %21 ]
  %.220 = phi i64 [ %.018, %15 ], [ %.119, %21 ]
  %.1 = phi ptr [ %12, %15 ], [ %.017, %21 ]
  %.0 = phi i32 [ 1, %15 ], [ 0, %21 ]
  switch i32 %.0, label %25 [
    i32 0, label %23
  ]

23:
  br label %6

24:
  br label %25

25:
  %.2 = phi ptr [ %.1, %22 ], [ null, %24 ]
  ret ptr %.2
}

define weak ptr @lfind(ptr %0, ptr %1, ptr %2, i64 %3, ptr %4) {
  br label %6

6:
  %.012 = phi ptr [ %1, %5 ], [ %17, %15 ]
  %.011 = phi i64 [ 0, %5 ], [ %16, %15 ]
  %7 = load i64, ptr %2, align 8
  %8 = icmp ult i64 %.011, %7
  br i1 %8, label %10, label %9

9:
  br label %18

10:
  %11 = call i32 %4(ptr %0, ptr %.012)
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %14

13:
  br label %18

14:
  br label %15

15:
  %16 = add i64 %.011, 1
  %17 = getelementptr inbounds i8, ptr %.012, i64 %3
  br label %6

18:
  %.0 = phi i32 [ 1, %13 ], [ 2, %9 ]
  switch i32 %.0, label %20 [
    i32 2, label %19
  ]

19:
  br label %20

20:
  %.1 = phi ptr [ %.012, %18 ], [ null, %19 ]
  ret ptr %.1
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef)
