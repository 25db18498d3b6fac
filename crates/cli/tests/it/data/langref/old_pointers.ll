; Text of LLVM up to 14, whose pointers have a pointee.

;;; types
define void @f(void ()* %a, i32 (i32, i8*, ...)* %b, [4 x [3 x i8]]* %c, <4 x float>* %d, { i8, <{ i16, i32 }> }* %e, i8 addrspace(3)* %g, i8 addrspace(3)* addrspace(4)* %h, i8** %i, %o* %j, void (i32)* (i32)* %k) {
  ret void
}
%o = type opaque

;;; instructions
%s = type { i32, [4 x i8]* , %s* }
define i8* @f(%s* %p, i64 %i) {
  %1 = getelementptr inbounds %s, %s* %p, i64 %i, i32 1
  %2 = load [4 x i8]*, [4 x i8]** %1, align 8
  %3 = getelementptr [4 x i8], [4 x i8]* %2, i64 0, i64 2
  %4 = bitcast i8* %3 to i32*
  store i32 1, i32* %4, align 1
  %5 = bitcast i32* %4 to i8*
  %6 = addrspacecast i8* %5 to i8 addrspace(1)*
  %7 = bitcast i8 addrspace(1)* %6 to i32 addrspace(1)*
  %8 = load i32, i32 addrspace(1)* %7, align 4
  %9 = bitcast %s* %p to %s*
  ret i8* %5
}

;;; vectors of pointers
define void @f(<2 x i8*> %v, <2 x i8 addrspace(1)*> %w) {
  %1 = bitcast <2 x i8*> %v to <2 x i32*>
  %2 = load <2 x i32*>, <2 x i32*>* null, align 16
  %3 = icmp eq <2 x i32*> %1, %2
  ret void
}

;;; casts before their operand
define i8* @f(i1 %c) {
entry:
  br label %a
b:
  %x = phi i8* [ %y, %a ]
  ret i8* %x
a:
  %p = alloca i32, align 4
  %y = bitcast i32* %p to i8*
  br label %b
}

;;; calls
declare i8* @g(i8*, i32)
define void @f(i8* %p, void ()* %fp, void (i32, ...)** %fpp) {
  %1 = call noalias i8* @g(i8* nocapture readonly %p, i32 1) argmemonly nounwind readonly
  %2 = call i8* (i8*, i32) @g(i8* %p, i32 1) readnone
  %3 = call i8* bitcast (i8* (i8*, i32)* @g to i8* (i64)*)(i64 1)
  call void %fp() inaccessiblememonly
  %4 = load void (i32, ...)*, void (i32, ...)** %fpp, align 8
  call void (i32, ...) %4(i32 1, i8* %p) writeonly
  ret void
}

;;; calls of another type than declared
define i32 @f() {
  %1 = call i32 bitcast (void ()* @g to i32 ()*)()
  %2 = call i32 bitcast (void ()* @g to i32 (i32, ...)*)(i32 1)
  %3 = call i32 (i32, ...) bitcast (void ()* @g to i32 (i32, ...)*)(i32 1)
  ret i32 %1
}
declare void @g()

;;; landing pads
declare i32 @pers(...)
declare void @may()
@ti = external constant i8*
define void @f() personality i8* bitcast (i32 (...)* @pers to i8*) {
  invoke void @may() to label %a unwind label %l
a:
  ret void
l:
  %1 = landingpad { i8*, i32 } cleanup catch i8* bitcast (i8** @ti to i8*) filter [2 x i8*] [i8* bitcast (i8** @ti to i8*), i8* null]
  resume { i8*, i32 } %1
}

;;; aliases
@v = global [4 x i32] zeroinitializer
@a1 = alias [4 x i32], [4 x i32]* @v
@a2 = alias i32, getelementptr inbounds ([4 x i32], [4 x i32]* @v, i64 0, i64 2)
@a3 = alias i8, bitcast ([4 x i32]* @v to i8*)
@i = ifunc void (), void ()* ()* @r
define void @f() {
  ret void
}
define void ()* @r() {
  ret void ()* @f
}

;;; intrinsics
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg)
declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg)
declare i8* @llvm.launder.invariant.group.p0i8(i8*)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare <4 x i32> @llvm.masked.load.v4i32.p0v4i32(<4 x i32>*, i32, <4 x i1>, <4 x i32>)
declare i64 @llvm.objectsize.i64.p0i8(i8*, i1, i1, i1)
declare void @llvm.prefetch.p0i8(i8*, i32, i32, i32)
declare i8* @llvm.stacksave()
declare void @llvm.stackrestore(i8*)
declare void @llvm.lifetime.start.p0i8(i64, i8*)
declare void @llvm.lifetime.end.p0i8(i64, i8*)
declare i8* @llvm.frameaddress.p0i8(i32)
declare void @llvm.assume(i1)
declare void @llvm.va_start(i8*)
declare i32 @llvm.eh.typeid.for(i8*)
define void @f(i8* %p, i8* %q, <4 x i32>* %v) {
  %a = alloca i32, align 4
  %b = bitcast i32* %a to i8*
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %b) #1
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %p, i8* align 8 %q, i64 8, i1 false)
  call void @llvm.memset.p0i8.i64(i8* %p, i8 0, i64 8, i1 true)
  %1 = call i8* @llvm.launder.invariant.group.p0i8(i8* %p)
  %2 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 1, i64 2)
  %3 = call <4 x i32> @llvm.masked.load.v4i32.p0v4i32(<4 x i32>* %v, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x i32> undef)
  %4 = call i64 @llvm.objectsize.i64.p0i8(i8* %p, i1 false, i1 true, i1 false)
  call void @llvm.prefetch.p0i8(i8* %p, i32 0, i32 3, i32 1)
  %5 = call i8* @llvm.stacksave()
  call void @llvm.stackrestore(i8* %5)
  %6 = call i8* @llvm.frameaddress.p0i8(i32 0)
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %b) #1
  ret void
}
attributes #1 = { nounwind }
