; Names, numbers, comments and where lines end.

;;; names
@"a b" = global i32 0
@"\22q\22" = global i32 0
@"\C3\A9" = global i32 0
@u = global ptr @"é"
@"\01raw" = global i32 0
@-x = global i32 0
@$d = global i32 0
@.str.1 = global i32 0
@_u = global i32 0
@"1abc" = global i32 0
@"with;semi" = global i32 0
@"with\\back" = global i32 0
@"new\0Aline" = global i32 0
@"a:b" = global i32 0
@"@x" = global i32 0
@"(){}[]<>,=*|:^" = global i32 0
@"i32" = global i32 0
@i32x = global i32 0
@define = global i32 0
%"t 1" = type { i32 }
%"t\221" = type { i8 }
%-t = type { i16 }
%$t.x = type { i64 }
@v1 = global %"t 1" zeroinitializer
@v2 = global %"t\221" zeroinitializer
@v3 = global %-t zeroinitializer
@v4 = global %$t.x zeroinitializer
define i32 @"f g"(i32 %"arg 1", i32 %arg-2, i32 %define, i32 %i32) {
"entry block":
  %"x\22y" = add i32 %"arg 1", %arg-2
  %ret = add i32 %"x\22y", %define
  %label = add i32 %ret, %i32
  br label %"b\0Ac"
"b\0Ac":
  br label %-n
-n:
  br label %$l
$l:
  br label %define1
define1:
  br label %ret1
ret1:
  br label %"1z"
"1z":
  br label %br
br:
  ret i32 %label
}

;;; names that are the same
@x = global i32 0
@"y" = global ptr @"x"
@"\78\78" = global i32 0
@z = global ptr @xx
define void @f(i32 %a) {
  %b = add i32 %"a", 1
  %c = add i32 %"\62", 1
  ret void
}

;;; digits in quotes
define i32 @f(i32 %"0", i32 %"7") {
  %1 = add i32 %"0", %"7"
  br label %"1"
"1":
  %"2" = add i32 %1, %"0"
  br label %2
2:
  %3 = add i32 %"2", 1
  ret i32 %3
}

;;; numbers and quoted digits of symbols
@0 = private constant i32 1
@"0" = global i32 2
@1 = private global ptr @0
@a = global ptr @"0"

;;; numbers of types
%0 = type { %1, ptr }
%1 = type { i32 }
%a = type opaque
%b = type { ptr, %b1 }
%b1 = type { [2 x %0] }
@x = global %0 zeroinitializer
@y = external global %a
@z = global %b zeroinitializer
define %1 @f(%0 %p) {
  %1 = extractvalue %0 %p, 0
  ret %1 %1
}

;;; numbers and quoted digits of types
%0 = type { i32 }
%"0" = type { i64 }
@x = global %0 { i32 1 }
@y = global %"0" { i64 1 }

;;; types that contain types
%node = type { i32, ptr, [0 x %node2] }
%node2 = type { ptr, %leaf }
%leaf = type {}
@n = global %node zeroinitializer

;;; types
declare void @f(half, bfloat, float, double, x86_fp80, fp128, ppc_fp128, i1, i7, i1024, i8388607, <1 x i1>, <vscale x 4 x i32>, <vscale x 1 x ptr>, [0 x i8], {}, <{}>, { { {} } }, ptr addrspace(5), <2 x ptr addrspace(1)>)
@g = global ptr @f

;;; names of other types than structs
%a = type i32
%b = type [2 x %a]
%c = type ptr
%d = type { %a, %b }
@x = global %a 5
@y = global %b [%a 1, i32 2]
@z = global %d zeroinitializer
define %a @f(%a %x, %c %p) {
  %1 = add %a %x, 1
  %2 = load %b, ptr %p, align 4
  %3 = extractvalue %b %2, 1
  %4 = add i32 %1, %3
  ret i32 %4
}

;;; the type that is gone
;;: last read by 19
;;: not printed for 22 -- LLVM has no such type any more
declare void @f(x86_mmx)
@g = global void (x86_mmx)* @f

;;; the header
source_filename = "a\\b\22c.c"
target triple = "x86_64-unknown-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
define void @f() {
  ret void
}

;;; no header, and everything in another order
define void @f() #0 {
  ret void
}
attributes #0 = { nounwind }
@x = global i32 0
!0 = !{}
module asm "nop"
declare void @g()
%t = type { i32 }
$c = comdat any
@y = global %t zeroinitializer, comdat($c)
!named = !{!0}
define void @h() {
  call void @g()
  ret void
}

;;; one line
@a = global i32 0 @b = global i32 1, align 4 @c = constant [2 x i8] c"ab" %t = type { i32 } declare void @g() define void @f() { call void @g() ret void } define i32 @h(i32 %x) { %y = add i32 %x, 1 %z = mul i32 %y, 2 br label %l l: %p = phi i32 [ %z, %0 ] ret i32 %p } attributes #0 = { nounwind } !0 = !{} !x = !{!0}

;;; one line for a function
define i32 @f(ptr %p, i1 %c) { %a = alloca i32, align 4 store i32 1, ptr %a, align 4 %b = load i32, ptr %a, align 4 %d = getelementptr i8, ptr %p, i64 1 %e = select i1 %c, i32 %b, i32 2 fence seq_cst %g = atomicrmw add ptr %p, i32 1 seq_cst, align 4 %h = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst, align 4 %i = extractvalue { i32, i1 } %h, 0 %j = icmp eq i32 %i, %g br i1 %j, label %x, label %y x: switch i32 %e, label %y [ i32 1, label %z ] y: ret i32 %e z: unreachable }

;;; one line for calls
declare i32 @pers(...) declare void @g() define i32 @f() personality ptr @pers { invoke void @g() to label %a unwind label %b a: call void @g() #0 call void @g() nounwind call void @g() [ "deopt"() ] ret i32 0 b: %l = landingpad { ptr, i32 } cleanup %m = extractvalue { ptr, i32 } %l, 1 ret i32 %m } attributes #0 = { nounwind }

;;; many lines
define
  i32
@f (
 i32
   %x , i32 %y
 )
 nounwind
 #0
{
  %a
   = 
  add
  nsw
  i32
  %x
  ,
  %y
  %b = call
    i32
     @f
    (
     i32 %a,
     i32 1
    )
    nounwind
    #0
    [ "deopt" (
      i32 1 ) ]
    , !foo
    !0
  %c = load i32
    , ptr @g
    , align 4
    , !range
    !{ i32 0
    , i32 5 }
  switch i32 %b , label
   %l
   [
   i32
   1
   ,
   label
   %l
  ]
  l:
  ret
  i32 %c
}
@g
=
global
i32
0
,
align
4
attributes
#0
=
{
nounwind
"a"
=
"b"
}
!0
=
!{
i32
1
}

;;; comments
; first
@a = ; comment " with quote
  global ; x
  i32 0 ; }
define i32 @f( ; args (
  i32 %x ; , i32 %y
) ; attrs nounwind
{ ; body
  ; nothing
  %y = ; = add
   add i32 %x, ; 3
   1 ; 4
  ret i32 %y ; ret i32 %x
  ; }
} ; end
; last without newline

;;; comments since LLVM 22
/* first */ define /* in */ void @f() { /* ; " */
  ret void
} /* last */


;;; tabs
	define	i32	@f	(	i32	%x	)	{	ret	i32	%x	}

;;; no spaces
define i32@f(i32%x,ptr%p){%y=add i32%x,1 store i32%y,ptr%p,align 4 ret i32%y}@g=global[2x i8]c"ab"

;;; orders of uses
@g = global i32 0
define i32 @f(i32 %x, i1 %c) {
entry:
  %a = add i32 %x, %x
  %b = add i32 %a, %a
  br i1 %c, label %l, label %m
l:
  br label %m
m:
  %p = load i32, ptr @g, align 4
  %q = load i32, ptr @g, align 4
  ret i32 %b
  uselistorder i32 %x, { 1, 0 }
  uselistorder i32 %a, { 1, 0 }
}
uselistorder ptr @g, { 1, 0 }
uselistorder_bb @f, %m, { 1, 0 }

;;; summaries
define i32 @f() {
  ret i32 0
}
^0 = module: (path: "a", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "f", summaries: (function: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0), insts: 1)))
^2 = flags: 8
^3 = blockcount: 1

;;; labels
define void @f(i1 %c) {
  br i1 %c, label %a, label %2
2:
  br label %a
a:                                                ; preds = %2, %0
  br label %b.c
b.c: br label %"d e"
"d e": br label %8
8:
  br label %foo-bar
foo-bar:
  %9 = add i32 1, 2
  br label %20
20:
  %21 = add i32 %9, 1
  ret void
}

;;; blocks without labels
define i32 @f(i1 %c) {
  br i1 %c, label %1, label %2
  br label %2
  ret i32 1
}

;;; labels that are words
define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %default [
    i32 0, label %add
    i32 1, label %call
    i32 2, label %i32
    i32 3, label %to
  ]
default:
  br label %add
add:
  br label %call
call:
  br label %i32
i32:
  br label %to
to:
  br label %c
c:
  br label %x2
x2:
  br label %unwind
unwind:
  ret i32 1
}

;;; labels that are attributes
declare void @h()
define void @f() {
entry:
  call void @h() nounwind
  br label %nounwind
nounwind:
  call void @h() #1 br label %readnone
readnone:
  call void @h() "x"
  br label %noreturn
noreturn:
  ret void
}
attributes #1 = { nounwind }

;;; values before their definition
define i32 @f(i1 %c) {
entry:
  br label %loop
dead:
  %u = add i32 %later, 1
  br label %loop2
loop:
  %later = add i32 1, 2
  br i1 %c, label %dead, label %loop2
loop2:
  %p = phi i32 [ %u, %dead ], [ %later, %loop ]
  ret i32 %p
}

;;; nothing



;;; names of metadata
@g = global i32 0, !a.b !0, !c-d !1, !e\20f !0
define void @f() !x$y !0 {
  ret void, !n.1 !0, !\66oo !1
}
!named.md = !{!0, !1, !0}
!with\20space = !{}
!-dash = !{!1}
!0 = !{}
!1 = distinct !{null, !"str \22q\22", i32 1, ptr @g, !{}, !0, float 1.0, [2 x i32] [i32 1, i32 2], !1}
!2 = !{!"a", !{!"b", !{!"c"}}}

;;; strings of metadata
define void @f() {
  ret void, !foo !{!"a \22 ; b } )", i32 1}
}
!llvm.ident = !{!0}
!0 = !{!"clang (; \22)"}
!1 = !{i32 1, !"wchar_size", i32 4}
!llvm.module.flags = !{!1}
