; Pointers, memory, calls.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%node = type { i32, i32, ptr }
@a = internal global i32 1
@b = internal global i32 2
@pair = internal global [2 x i32] zeroinitializer
@table = internal constant [2 x ptr] [ptr @inc, ptr @dec]
@hidden = internal global ptr null
@visible = global i32 0
@handler = internal global ptr null

declare ptr @malloc(i64)
declare void @unknown(ptr)
declare i32 @printf(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define internal i32 @inc(i32 %x) nounwind {
  %y = load i32, ptr @a
  %r = add i32 %x, %y
  ret i32 %r
}

define internal i32 @dec(i32 %x) nounwind {
  store i32 %x, ptr @b
  ret i32 %x
}

define internal i32 @unlike(ptr %x, i32 %y) nounwind {
  ret i32 %y
}

; expect: points choose %p = @a+0, @b+0
; expect: writes choose = @a[0..4], @b[0..4]
; expect: sources choose %x = store 1
; expect: sources choose %y = store 2
; expect: sources choose %z = store 1, store 3
define i32 @choose(i1 %c) nounwind {
  store i32 5, ptr @a
  %x = load i32, ptr @a
  store i32 6, ptr @b
  %y = load i32, ptr @b
  %p = select i1 %c, ptr @b, ptr @a
  store i32 7, ptr %p
  %z = load i32, ptr @a
  ret i32 %z
}

; A store hides earlier ones of the same bytes, not of others.
; expect: sources fields %x = store 3
; expect: sources fields %y = store 2
define i32 @fields() nounwind {
  %second = getelementptr [2 x i32], ptr @pair, i64 0, i64 1
  store i32 1, ptr @pair
  store i32 2, ptr %second
  store i32 3, ptr @pair
  %x = load i32, ptr @pair
  %y = load i32, ptr %second
  %r = add i32 %x, %y
  ret i32 %r
}

; Fields of a struct from outside are apart; the same field through two pointers may be the same.
; expect: points list %n = outside
; expect: sources list %v = entry, store 1
; expect: sources list %w = store 1
; expect: sources list %k = entry
define i32 @list(ptr %n, ptr %m) nounwind {
  %value = getelementptr %node, ptr %n, i32 0, i32 0
  %count = getelementptr %node, ptr %n, i32 0, i32 1
  %other = getelementptr %node, ptr %m, i32 0, i32 0
  store i32 4, ptr %value
  %v = load i32, ptr %other
  %w = load i32, ptr %value
  %k = load i32, ptr %count
  %s = add i32 %v, %w
  %r = add i32 %s, %k
  ret i32 %r
}

; expect: points heap %p = heap heap.%p+0
; expect: points heap %next = heap heap.%p+8
; expect: points heap %q = stack heap.%s+0, heap heap.%p+0
; expect: sources heap %q = store 2
define ptr @heap(i1 %c) nounwind {
  %s = alloca [2 x i32]
  %p = call ptr @malloc(i64 16)
  %next = getelementptr %node, ptr %p, i32 0, i32 2
  %same = select i1 %c, ptr %p, ptr %s
  store ptr %p, ptr %next
  store ptr %same, ptr %next
  %q = load ptr, ptr %next
  %v = load i32, ptr %q
  ret ptr null
}

; A call through a table goes to what is in it and fits.
; expect: calls through %r = inc, dec
; expect: points through %f = @inc+0, @dec+0
; expect: reads through = @a[0..4], @b[0..4]
; expect: writes through = @b[0..4]
; expect: sources through %after = entry, %r
; expect: hazards through = faults
define i32 @through(i64 %i) nounwind {
  %slot = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i
  %f = load ptr, ptr %slot
  %r = call i32 %f(i32 3)
  %after = load i32, ptr @b
  %s = add i32 %r, %after
  ret i32 %s
}

; What an unknown function gets hold of it may change; what it does not, it may not.
; expect: sources escape %x = store 1, call 1
; expect: sources escape %y = store 2
; expect: hazards escape = faults, unknown, world
define i32 @escape() nounwind {
  %known = alloca [1 x i32]
  %own = alloca [2 x i32]
  store i32 1, ptr %known
  store i32 2, ptr %own
  %index = load i32, ptr @visible
  %cell = getelementptr i32, ptr %own, i32 %index
  call void @unknown(ptr %known)
  %x = load i32, ptr %known
  %y = load i32, ptr %cell
  %z = add i32 %x, %y
  ret i32 %z
}

; Copies take pointers along, word by word.
; expect: points copied %q = @b+0
define ptr @copied() nounwind {
  %from = alloca [2 x ptr]
  %to = alloca [2 x ptr]
  %from1 = getelementptr [2 x ptr], ptr %from, i64 0, i64 1
  store ptr @a, ptr %from
  store ptr @b, ptr %from1
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %to1 = getelementptr [2 x ptr], ptr %to, i64 0, i64 1
  %q = load ptr, ptr %to1
  ret ptr null
}

; A pointer that went through a number stays what it was.
; expect: points number %q = outside, @a
define ptr @number() nounwind {
  %n = ptrtoint ptr @a to i64
  %m = or i64 %n, 1
  %q = inttoptr i64 %m to ptr
  ret ptr null
}

; In a whole program nobody else has written to a variable that only it knows.
; expect: program points main %h = @unlike+0
; expect: program calls main %r = unlike
define i32 @main() nounwind {
  store ptr @unlike, ptr @handler
  %h = load ptr, ptr @handler
  %r = call i32 %h(ptr null, i32 1)
  ret i32 %r
}
