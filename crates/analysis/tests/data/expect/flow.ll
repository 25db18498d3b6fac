; Control flow, decisions, loops.

declare void @exit(i32) noreturn
declare void @other()
@state = internal global i32 0

; expect: successors diamond = entry: then (then), else (else); then: join; else: join; join: exit
; expect: post-dominators diamond = entry: join; then: join; else: join; join: exit
; expect: control diamond = then: entry (then); else: entry (else)
; expect: joins diamond join = entry
; expect: loops diamond = 
; expect: region diamond entry = to join; nodes then, else; values %x; phis %p; writes nothing; nothing
define i32 @diamond(i1 %c, i32 %n) {
entry:
  br i1 %c, label %then, label %else
then:
  %x = add i32 %n, 1
  br label %join
else:
  br label %join
join:
  %p = phi i32 [ %x, %then ], [ 0, %else ]
  ret i32 %p
}

; What follows `exit` depends on its guard.
; expect: successors guarded = entry: die (then), live (else); die: exit (leaves); live: exit
; expect: control guarded = die: entry (then); live: entry (else)
; expect: end guarded = returns, exits
; expect: hazards guarded = world, exits
define void @guarded(i1 %c) nounwind {
entry:
  br i1 %c, label %die, label %live
die:
  call void @exit(i32 1)
  br label %live
live:
  store i32 1, ptr @state
  ret void
}

; A call of a function that may end the program cuts its block.
; expect: successors caller = entry: entry' (returns), exit (leaves); entry': exit
; expect: control caller = entry': entry (returns)
; expect: end caller = returns, exits
define i32 @caller(i1 %c) nounwind {
entry:
  call void @guarded(i1 %c)
  ret i32 3
}

; expect: end never = exits
; expect: successors calls_never = entry: exit (leaves)
define void @never() nounwind {
  call void @guarded(i1 false)
  call void @exit(i32 0)
  unreachable
}

define void @calls_never() nounwind {
entry:
  call void @never()
  ret void
}

; A function that calls itself and never returns otherwise does not return.
; expect: end forever = nothing
define void @forever() nounwind {
  call void @forever()
  ret void
}

; expect: end may_throw = returns, unwinds
define void @may_throw() {
  call void @other()
  ret void
}

; expect: loops nested = outer: outer, inner, inner.body, outer.end; inner in outer: inner, inner.body
; expect: control nested = outer: outer.end (then); inner: inner (then), outer.end (then); inner.body: inner (then); outer.end: outer.end (then)
; expect: post-dominators nested = entry: outer; outer: inner; inner: outer.end; inner.body: inner; outer.end: done; done: exit
; expect: hazards nested = loops
define void @nested(i32 %n) nounwind {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %outer.end ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner.body ]
  %c = icmp slt i32 %j, %i
  br i1 %c, label %inner.body, label %outer.end
inner.body:
  %j2 = add i32 %j, 1
  br label %inner
outer.end:
  %i2 = add i32 %i, 1
  %d = icmp slt i32 %i2, %n
  br i1 %d, label %outer, label %done
done:
  ret void
}

; What follows a possible endless loop depends on whether it is entered; inside, order stays.
; expect: control endless = spin: entry (then); work: spin (then); skip: spin (else); latch: entry (then); after: entry (else)
; expect: post-dominators endless = entry: exit; spin: latch; work: latch; skip: latch; latch: exit; after: exit
define void @endless(i1 %c, i1 %d) nounwind {
entry:
  br i1 %c, label %spin, label %after
spin:
  br i1 %d, label %work, label %skip
work:
  br label %latch
skip:
  br label %latch
latch:
  br label %spin
after:
  ret void
}

; A cycle with two entries is no natural loop.
; expect: loops tangled = cycle: a, b
define void @tangled(i1 %c, i1 %d) nounwind {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %out
b:
  br i1 %d, label %a, label %out
out:
  ret void
}

; expect: control cases = one: entry (case 0), entry (case 1); two: entry (case 2); rest: entry (default)
; expect: users cases %n = switch 1, %p
define i32 @cases(i32 %n) nounwind {
entry:
  switch i32 %n, label %rest [ i32 1, label %one
                               i32 5, label %one
                               i32 2, label %two ]
one:
  br label %out
two:
  br label %out
rest:
  br label %out
out:
  %p = phi i32 [ 1, %one ], [ %n, %two ], [ 3, %rest ]
  ret i32 %p
}
