; Slices across calls.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@total = internal global i32 0
@count = internal global i32 0
declare void @exit(i32) noreturn
declare i32 @printf(ptr, ...)

define internal i32 @twice(i32 %x) nounwind {
  %y = add i32 %x, %x
  ret i32 %y
}

define internal void @note(i32 %x) nounwind {
  store i32 %x, ptr @total
  ret void
}

define internal i32 @read() nounwind {
  %t = load i32, ptr @total
  ret i32 %t
}

; The slice comes back to the call that it went in through, not to the other one.
; expect: forward calls %n = twice.%y, twice.ret 1, %p, %s, ret 1, twice.%x, %n
; expect: backward calls %q = twice.%y, twice.ret 1, %q, twice.%x, %m
; expect: why calls %n to ret 1 = start, argument, value, value, returned, value, value
define i32 @calls(i32 %n, i32 %m) nounwind {
  %p = call i32 @twice(i32 %n)
  %q = call i32 @twice(i32 %m)
  %s = add i32 %p, 1
  ret i32 %s
}

; Through memory that one call writes and another one reads.
; expect: forward memory %n = note.store 1, read.%t, read.ret 1, %v, ret 1, note.%x, %n
; expect: why memory %n to read.%t = start, argument, value, memory @total[0..4], memory @total[0..4], memory @total[0..4], memory @total[0..4], memory @total[0..4]
; expect: backward memory %v = note.store 1, read.%t, read.ret 1, %v, note.%x, %n
define i32 @memory(i32 %n, i32 %m) nounwind {
  %before = call i32 @read()
  call void @note(i32 %n)
  store i32 %m, ptr @count
  %v = call i32 @read()
  ret i32 %v
}

; A decision reaches what it guards, and the join.
; expect: forward decide %n = %c, br 1, store 1, br 2, %p, ret 1, %n
; expect: why decide %c to %p = start, value, join
; expect: why decide %n to store 1 = start, value, value, branch then
define i32 @decide(i32 %n, i32 %m) nounwind {
entry:
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %then, label %join
then:
  store i32 %m, ptr @count
  br label %join
join:
  %p = phi i32 [ 1, %then ], [ 2, %entry ]
  ret i32 %p
}

define internal void @check(i32 %x) nounwind {
entry:
  %c = icmp slt i32 %x, 0
  br i1 %c, label %bad, label %good
bad:
  call void @exit(i32 1)
  unreachable
good:
  ret void
}

; Whether what follows runs depends on what was checked.
; expect: why guarded %n to store 1 = start, argument, value, value, branch then, call, exit, branch returns
define void @guarded(i32 %n) nounwind {
  call void @check(i32 %n)
  store i32 1, ptr @count
  ret void
}
