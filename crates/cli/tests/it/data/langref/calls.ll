; Calls, their operands, and how they unwind.

;;; tail calls
declare i32 @g(i32, ...)
declare i32 @h(i32)
define i32 @f(i32 %x) {
  %1 = tail call i32 @h(i32 %x)
  %2 = notail call i32 @h(i32 %x)
  %3 = musttail call i32 @h(i32 %x)
  ret i32 %3
}
define i32 @f2(i32 %x, ...) {
  %1 = musttail call i32 (i32, ...) @g(i32 %x, ...)
  ret i32 %1
}
define fastcc void @f3() {
  tail call fastcc void @f3() #0
  musttail call fastcc void @f3()
  ret void
}
define double @f4(double %x) {
  %1 = tail call fast double @f4(double %x)
  %2 = call nnan nsz double @f4(double %1)
  %3 = call fast fastcc noundef double @f4(double noundef %1) #0
  ret double %2
}
attributes #0 = { nounwind }

;;; callees
define void @f(ptr %p, ptr %q) {
  call void %p()
  call void %p(i32 1, ptr %q)
  %1 = call i32 %p(i64 2)
  %2 = call i32 (i64, ...) %p(i64 2)
  %3 = call i32 (i64, ...) %p(i64 2, i32 5, double 1.0)
  call void () %p()
  call void null()
  call void undef()
  call void inttoptr (i64 64 to ptr)()
  %4 = call ptr (ptr, i32) @g(ptr %p, i32 1)
  %5 = call { i32, ptr } @h({ i32, ptr } { i32 1, ptr @f }, [2 x i8] zeroinitializer)
  %6 = call <2 x i32> @v(<2 x i32> <i32 1, i32 2>)
  %7 = call i32 @f(ptr %p, ptr %q)
  ret void
}
declare ptr @g(ptr, i32)
declare { i32, ptr } @h({ i32, ptr }, [2 x i8])
declare <2 x i32> @v(<2 x i32>)

;;; arguments of every type
define void @f(ptr %p) {
  %1 = call i32 %p(i32 1, ptr null, float 1.0, <2 x i8> <i8 1, i8 2>, { i32 } { i32 1 }, [1 x i8] c"a")
  ret void
}

;;; inline assembly
define void @f(i32 %x, ptr %p) {
  call void asm "nop", ""()
  call void asm sideeffect "nop", ""()
  call void asm sideeffect alignstack "nop", ""()
  call void asm sideeffect inteldialect "nop", ""()
  call void asm alignstack inteldialect "nop", "~{memory}"()
  %1 = call i32 asm "bswap $0", "=r,0"(i32 %x)
  %2 = call { i32, i32 } asm sideeffect "movl $2, $0\0Amovl $2, $1", "=r,=r,r,~{dirflag},~{fpsr},~{flags}"(i32 %x) #0
  call void asm sideeffect "movl $1, $0", "=*m,r,~{dirflag}"(ptr elementtype(i32) %p, i32 7)
  %3 = tail call i32 asm "movl $1, $0", "=r,i"(i32 5)
  call void asm sideeffect "; \22quoted\22", "~{memory}"() #0, !srcloc !0
  ret void
}
attributes #0 = { nounwind }
!0 = !{i64 1}

;;; inline assembly that unwinds
declare i32 @pers(...)
define void @f() personality ptr @pers {
  invoke void asm sideeffect unwind "call *%rax", "~{memory}"() to label %a unwind label %b
a:
  call void asm sideeffect alignstack inteldialect unwind "nop", ""()
  ret void
b:
  %1 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %1
}

;;; operand bundles
declare void @g()
declare i32 @h(i32)
declare void @llvm.assume(i1)
define void @f(ptr %p, i32 %x, ptr %q) {
  call void @g() [ "deopt"(i32 1, ptr %p, float 2.0) ]
  call void @g() [ "deopt"(), "foo"(i32 %x, ptr %p) ]
  call void @g() #0 [ "gc-transition"() ]
  %1 = call i32 @h(i32 1) nounwind [ "a\22b"(i32 1) ], !range !0
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16), "nonnull"(ptr %p), "dereferenceable"(ptr %p, i64 8) ]
  call void @llvm.assume(i1 true) ["cold"()]
  ret void
}
attributes #0 = { nounwind }
!0 = !{i32 0, i32 5}

;;; operand bundles of languages
declare void @g(ptr)
declare ptr @k()
declare void @llvm.objc.clang.arc.noop.use(...)
define void @f(ptr %fp) {
  %1 = call ptr @k() [ "clang.arc.attachedcall"(ptr @llvm.objc.retainAutoreleasedReturnValue) ]
  call void (...) @llvm.objc.clang.arc.noop.use(ptr %1)
  call void %fp(ptr null) [ "kcfi"(i32 1234) ]
  call void %fp(ptr null) [ "cfguardtarget"(ptr @g) ]
  ret void
}
declare ptr @llvm.objc.retainAutoreleasedReturnValue(ptr)

;;; attributes
declare ptr @g(ptr, i32)
declare void @s(ptr)
define void @f(ptr %p) {
  %1 = call noalias noundef nonnull align 16 dereferenceable(32) ptr @g(ptr noundef nonnull align 8 dereferenceable(8) "x"="y" %p, i32 noundef zeroext 1) nounwind willreturn memory(none) "no-builtins" #0
  %2 = call ptr @g(ptr %p, i32 1) #0 #1
  call void @s(ptr sret({ i32, ptr }) align 8 %p) nobuiltin
  call void @s(ptr byval(i64) align 8 %p) builtin
  call void @s(ptr nocapture readonly %p) strictfp noreturn cold
  call void @s(ptr %p) returns_twice nomerge noinline
  call void @s(ptr %p) alwaysinline convergent
  ret void
}
attributes #0 = { nounwind "a"="b" }
attributes #1 = { allocsize(1) }

;;; fast math
declare [2 x float] @a()
declare { float, float } @b()
declare <2 x double> @c(i32)
declare float @d()
define void @f(i1 %x) {
  %1 = call fast [2 x float] @a()
  %2 = call reassoc <2 x double> @c(i32 1)
  %3 = tail call nsz arcp float @d()
  %4 = select fast i1 %x, [2 x float] %1, [2 x float] zeroinitializer
  ret void
}

;;; fast math since LLVM 20
declare { float, float } @b()
define void @f(i1 %x) {
  %1 = call fast { float, float } @b()
  %2 = fptrunc nnan double 1.0 to float
  %3 = uitofp nneg i32 1 to float
  ret void
}

;;; variadic functions
declare void @llvm.va_start(ptr)
declare void @llvm.va_end(ptr)
declare void @llvm.va_copy(ptr, ptr)
define i32 @f(i32 %n, ...) {
  %l = alloca [24 x i8], align 16
  call void @llvm.va_start(ptr %l)
  %x = va_arg ptr %l, i32
  %y = va_arg ptr %l, double
  %z = va_arg ptr %l, ptr
  call void @llvm.va_end(ptr %l)
  ret i32 %x
}
define i32 @g(...) {
  ret i32 0
}

;;; landing pads
declare i32 @pers(...)
declare void @may()
declare i32 @mayi(i32)
@ti = external constant ptr
@ti2 = external constant i8
define i32 @f() personality ptr @pers {
entry:
  invoke void @may() to label %a unwind label %l1
a:
  %x = invoke fastcc noundef i32 @mayi(i32 noundef 1) #0 [ "deopt"(i32 1) ]
          to label %b unwind label %l2, !prof !0
b:
  %y = invoke i32 (i32, ...) @vari(i32 1, ptr null)
    to label %c unwind label %l3
c:
  ret i32 %x
l1:
  %lp = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp
l2:
  %lp2 = landingpad { ptr, i32 }
            catch ptr @ti
            catch ptr null
  %e = extractvalue { ptr, i32 } %lp2, 0
  ret i32 0
l3:
  %lp3 = landingpad { ptr, i32 } cleanup catch ptr @ti2 filter [1 x ptr] [ptr @ti] filter [0 x ptr] zeroinitializer
  br label %d
d:
  %z = call i32 @llvm.eh.typeid.for(ptr @ti)
  resume { ptr, i32 } %lp3
}
declare i32 @vari(i32, ...)
declare i32 @llvm.eh.typeid.for(ptr)
attributes #0 = { nounwind }
!0 = !{!"branch_weights", i32 1, i32 2}

;;; funclets
;;: trap -- unwinding in the way of Windows is not supported
declare i32 @__CxxFrameHandler3(...)
declare void @may()
define void @f() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may() to label %ok unwind label %cs
ok:
  invoke void @may() to label %ok2 unwind label %cl
ok2:
  ret void
cs:
  %s = catchswitch within none [label %cp] unwind to caller
cp:
  %c = catchpad within %s [ptr null, i32 64, ptr null]
  call void @may() [ "funclet"(token %c) ]
  catchret from %c to label %ok2
cl:
  %d = cleanuppad within none []
  call void @may() [ "funclet"(token %d) ]
  cleanupret from %d unwind to caller
}

;;; assembly that jumps, with a result
;;: trap -- not supported
define i32 @f(i32 %x) {
entry:
  %r = callbr i32 asm sideeffect "", "=r,r,!i"(i32 %x) to label %a [label %b]
a:
  %y = add i32 %r, 1
  ret i32 %y
b:
  ret i32 0
}

;;; assembly that jumps
;;: trap -- not supported
define void @f(i32 %x) {
  callbr void asm sideeffect "", "r,!i,!i"(i32 %x)
          to label %a [label %b, label %c]
a:
  ret void
b:
  ret void
c:
  ret void
}

;;; coroutines
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare ptr @llvm.coro.begin(token, ptr)
declare i1 @llvm.coro.alloc(token)
define void @f(ptr %m) {
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %a = call i1 @llvm.coro.alloc(token %id)
  %b = call ptr @llvm.coro.begin(token %id, ptr %m)
  ret void
}

;;; safepoints
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}

;;; metadata as arguments
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare i64 @llvm.read_register.i64(metadata)
declare void @llvm.write_register.i64(metadata, i64)
define double @f(double %a) strictfp {
  %1 = call double @llvm.experimental.constrained.fadd.f64(double %a, double 1.0, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %2 = call i64 @llvm.read_register.i64(metadata !{!"rsp"}) strictfp
  %3 = call i64 @llvm.read_register.i64(metadata !0) strictfp
  call void @llvm.write_register.i64(metadata !0, i64 %3) strictfp
  ret double %1
}
!0 = !{!"rsp"}

;;; types as metadata
declare i1 @llvm.type.test(ptr, metadata)
declare { ptr, i1 } @llvm.type.checked.load(ptr, i32, metadata)
define i1 @f(ptr %p) {
  %1 = call i1 @llvm.type.test(ptr %p, metadata !"foo")
  %2 = call { ptr, i1 } @llvm.type.checked.load(ptr %p, i32 0, metadata !"bar")
  ret i1 %1
}

;;; intrinsics
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i32 @llvm.ctlz.i32(i32, i1)
declare ptr @llvm.returnaddress(i32)
declare ptr @llvm.frameaddress.p0(i32)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare void @llvm.invariant.end.p0(ptr, i64, ptr)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare i1 @llvm.expect.i1(i1, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare i32 @llvm.is.fpclass.f32(float, i32)
@tl = thread_local global i32 0
define void @f(ptr %p, ptr %q, <4 x ptr> %v) {
  %a = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 8 %q, i64 8, i1 false)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 true)
  call void @llvm.memset.p0.i32(ptr %p, i8 0, i32 8, i1 true)
  %1 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 1, i32 2)
  %2 = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  %3 = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
  %4 = call i32 @llvm.ctlz.i32(i32 1, i1 false)
  %5 = call ptr @llvm.returnaddress(i32 0)
  %6 = call ptr @llvm.frameaddress.p0(i32 0)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %7 = call ptr @llvm.stacksave.p0()
  call void @llvm.stackrestore.p0(ptr %7)
  %8 = call ptr @llvm.invariant.start.p0(i64 4, ptr %p)
  call void @llvm.invariant.end.p0(ptr %8, i64 4, ptr %p)
  %9 = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  %10 = call i1 @llvm.expect.i1(i1 true, i1 false)
  %11 = call i32 @llvm.fshl.i32(i32 1, i32 2, i32 3)
  %12 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> zeroinitializer)
  %13 = call ptr @llvm.threadlocal.address.p0(ptr @tl)
  %14 = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> undef)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %14, ptr %p, i32 8, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  %15 = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %v, i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> undef)
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %15, <4 x ptr> %v, i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  ret void
}

;;; intrinsics since LLVM 19
declare i8 @llvm.ucmp.i8.i32(i32, i32)
declare i8 @llvm.scmp.i8.i32(i32, i32)
declare <2 x i8> @llvm.scmp.v2i8.v2i32(<2 x i32>, <2 x i32>)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.fake.use(...)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
define void @f(ptr %p, <2 x i32> %v) {
  %a = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr %a)
  %1 = call i8 @llvm.ucmp.i8.i32(i32 1, i32 2)
  %2 = call i8 @llvm.scmp.i8.i32(i32 1, i32 2)
  %3 = call <2 x i8> @llvm.scmp.v2i8.v2i32(<2 x i32> %v, <2 x i32> zeroinitializer)
  notail call void (...) @llvm.fake.use(ptr %p)
  %4 = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> undef)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %4, ptr align 8 %p, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  ret void
}

;;; intrinsics that LLVM replaces
;;: folded -- what LLVM makes of an old intrinsic when it reads it
declare <4 x float> @llvm.x86.sse.sqrt.ps(<4 x float>)
declare i32 @llvm.ctlz.i32(i32, i1)
declare <2 x i64> @llvm.x86.sse2.psll.dq(<2 x i64>, i32)
declare i64 @llvm.experimental.vector.reduce.add.v4i64(<4 x i64>)
declare <2 x double> @llvm.experimental.vector.extract.v2f64.v4f64(<4 x double>, i64)
define void @f(<4 x i64> %v, <4 x float> %w) {
  %1 = call <4 x float> @llvm.x86.sse.sqrt.ps(<4 x float> %w)
  ret void
}

;;; Swift
define swiftcc void @f(ptr swifterror %e, ptr swiftself %s, ptr swiftasync %a) {
  %x = alloca swifterror ptr, align 8
  store ptr null, ptr %x, align 8
  call swiftcc void @f(ptr swifterror %x, ptr swiftself %s, ptr swiftasync %a)
  %y = load ptr, ptr %x, align 8
  store ptr %y, ptr %e, align 8
  ret void
}

;;; Swift without a stack
define swifttailcc void @f(ptr swiftasync %a) {
  musttail call swifttailcc void @f(ptr swiftasync %a)
  ret void
}
