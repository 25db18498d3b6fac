; Made of the C source beside it.

define weak void @exit(i32 %0) {
  %2 = alloca ptr, align 8
  br label %3

3:
  %4 = call ptr @pathshift.next_at_exit(ptr %2)
  %5 = icmp ne ptr %4, null
  br i1 %5, label %6, label %8

6:
  %7 = load ptr, ptr %2, align 8
  call void %4(ptr %7)
  br label %3

8:
  call void @pathshift.exit(i32 %0)
  unreachable
}

declare ptr @pathshift.next_at_exit(ptr noundef)

declare void @pathshift.exit(i32 noundef)
