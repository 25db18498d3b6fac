; Every instruction with every kind of operand and flag.

;;; integer arithmetic
define i32 @f(i32 %a, i32 %b) {
  %1 = add i32 %a, %b
  %2 = add nuw i32 %1, 1
  %3 = add nsw i32 %2, -1
  %4 = add nuw nsw i32 %3, %b
  %5 = add nsw nuw i32 %4, %b
  %6 = sub nuw nsw i32 %5, 7
  %7 = mul nuw nsw i32 %6, 3
  %8 = udiv exact i32 %7, 3
  %9 = sdiv exact i32 %8, 5
  %10 = udiv i32 %9, %b
  %11 = sdiv i32 %10, %b
  %12 = urem i32 %11, 17
  %13 = srem i32 %12, -17
  %14 = shl nuw nsw i32 %13, 1
  %15 = lshr exact i32 %14, 1
  %16 = ashr exact i32 %15, 1
  %17 = and i32 %16, 255
  %18 = or i32 %17, 256
  %19 = xor i32 %18, -1
  ret i32 %19
}
define <4 x i8> @v(<4 x i8> %a, <4 x i8> %b) {
  %1 = add nuw <4 x i8> %a, <i8 1, i8 -1, i8 undef, i8 poison>
  %2 = shl <4 x i8> %1, zeroinitializer
  %3 = xor <4 x i8> %2, <i8 -1, i8 -1, i8 -1, i8 -1>
  %4 = udiv exact <4 x i8> %3, <i8 1, i8 2, i8 3, i8 4>
  ret <4 x i8> %4
}

;;; flags since LLVM 19
define i32 @f(i32 %a, i32 %b) {
  %1 = or disjoint i32 %a, %b
  %2 = zext nneg i32 %1 to i64
  %3 = uitofp nneg i64 %2 to double
  %4 = trunc nuw i64 %2 to i32
  ret i32 %4
}

;;; flags since LLVM 20
define i32 @f(i32 %a, i32 %b) {
  %1 = or disjoint i32 %a, %b
  %2 = zext nneg i32 %1 to i64
  %3 = uitofp nneg i64 %2 to double
  %4 = trunc nuw i64 %2 to i32
  %5 = trunc nsw i64 %2 to i32
  %6 = trunc nuw nsw i64 %2 to i32
  %7 = trunc nsw nuw i64 %2 to i32
  %8 = icmp samesign ult i32 %6, %7
  ret i32 %7
}

;;; float arithmetic
define double @f(double %a, double %b) {
  %1 = fadd double %a, %b
  %2 = fsub fast double %1, 1.0
  %3 = fmul nnan ninf nsz arcp contract afn reassoc double %2, 2.5e-3
  %4 = fdiv nnan double %3, -0.0
  %5 = frem reassoc ninf double %4, 0x7FF0000000000000
  %6 = fneg nsz double %5
  %7 = fneg double %6
  %8 = fadd nnan nnan double %7, %b
  ret double %8
}
define <2 x float> @g(<2 x float> %a) {
  %1 = fneg fast <2 x float> %a
  %2 = fadd arcp <2 x float> %1, <float 1.0, float 0x36A0000000000000>
  ret <2 x float> %2
}

;;; comparisons
define i1 @f(i32 %a, i32 %b, ptr %p, ptr %q, double %x, double %y, <2 x i64> %v, <2 x ptr> %vp) {
  %1 = icmp eq i32 %a, %b
  %2 = icmp ne i32 %a, %b
  %3 = icmp ugt i32 %a, %b
  %4 = icmp uge i32 %a, %b
  %5 = icmp ult i32 %a, %b
  %6 = icmp ule i32 %a, %b
  %7 = icmp sgt i32 %a, %b
  %8 = icmp sge i32 %a, %b
  %9 = icmp slt i32 %a, %b
  %10 = icmp sle i32 %a, %b
  %11 = icmp eq ptr %p, %q
  %12 = icmp slt ptr %p, null
  %13 = icmp eq <2 x i64> %v, zeroinitializer
  %14 = icmp ne <2 x ptr> %vp, zeroinitializer
  %15 = fcmp oeq double %x, %y
  %16 = fcmp ogt double %x, %y
  %17 = fcmp oge double %x, %y
  %18 = fcmp olt double %x, %y
  %19 = fcmp ole double %x, %y
  %20 = fcmp one double %x, %y
  %21 = fcmp ord double %x, %y
  %22 = fcmp ueq double %x, %y
  %23 = fcmp ugt double %x, %y
  %24 = fcmp uge double %x, %y
  %25 = fcmp ult double %x, %y
  %26 = fcmp ule double %x, %y
  %27 = fcmp une double %x, %y
  %28 = fcmp uno double %x, %y
  %29 = fcmp false double %x, %y
  %30 = fcmp true double %x, %y
  %31 = fcmp fast oeq double %x, %y
  %32 = fcmp nnan ninf true double %x, %y
  ret i1 %32
}

;;; conversions
define void @f(i32 %a, i64 %b, float %x, double %y, ptr %p, half %h, <2 x i32> %v, <2 x ptr> %vp, ptr addrspace(1) %as) {
  %1 = trunc i32 %a to i8
  %2 = zext i32 %a to i64
  %3 = sext i32 %a to i128
  %4 = fptoui float %x to i32
  %5 = fptosi double %y to i33
  %6 = uitofp i64 %b to half
  %7 = sitofp i64 %b to bfloat
  %8 = fptrunc double %y to float
  %9 = fpext float %x to x86_fp80
  %10 = fpext half %h to fp128
  %11 = ptrtoint ptr %p to i64
  %12 = ptrtoint ptr %p to i8
  %13 = inttoptr i64 %b to ptr
  %14 = inttoptr i128 %3 to ptr
  %15 = bitcast double %y to i64
  %16 = bitcast i64 %b to <2 x i32>
  %17 = bitcast ptr %p to ptr
  %18 = addrspacecast ptr %p to ptr addrspace(3)
  %19 = addrspacecast ptr addrspace(1) %as to ptr
  %20 = zext <2 x i32> %v to <2 x i64>
  %21 = sitofp <2 x i32> %v to <2 x double>
  %22 = ptrtoint <2 x ptr> %vp to <2 x i64>
  %23 = inttoptr <2 x i64> %22 to <2 x ptr>
  %24 = addrspacecast <2 x ptr> %vp to <2 x ptr addrspace(2)>
  %25 = bitcast <2 x i32> %v to <4 x i16>
  %26 = bitcast i1 true to <1 x i1>
  ret void
}

;;; conversions of bits
define void @f(<2 x i64> %v, x86_fp80 %k, <16 x i1> %m, ptr %p) {
  %1 = bitcast <2 x i64> %v to i128
  %2 = bitcast x86_fp80 %k to i80
  %3 = bitcast <16 x i1> %m to i16
  %4 = bitcast i80 %2 to x86_fp80
  %5 = bitcast <2 x i64> %v to fp128
  %6 = bitcast i128 %1 to <16 x i8>
  %7 = bitcast <2 x i64> %v to <2 x i64>
  %8 = bitcast <2 x i64> %v to <2 x double>
  ret void
}

;;; conversions since LLVM 22
define void @f(ptr %p, <2 x ptr> %v, float %x, double %y, i32 %i) {
  %1 = ptrtoaddr ptr %p to i64
  %2 = ptrtoaddr <2 x ptr> %v to <2 x i64>
  %3 = fptrunc fast double %y to float
  %4 = fpext nnan ninf float %x to double
  ret void
}

;;; stack objects without alignment
;;: folded -- how such an object is aligned is left to the target; LLVM chooses when it reads the text
%t = type { i8, [4 x i32], <2 x i64> }
define void @f(i32 %n, i64 %m) {
  %1 = alloca i32
  %3 = alloca i32, i32 4
  %5 = alloca %t, i64 %m
  %6 = alloca [0 x i8]
  %8 = alloca <4 x i1>, i1 true
  %9 = alloca i32, i32 0
  ret void
}

;;; memory
%t = type { i8, [4 x i32], <2 x i64> }
define void @f(ptr %p, i32 %n, i64 %m) {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, i32 4, align 4
  %4 = alloca i32, i32 %n, align 1024
  %5 = alloca %t, i64 %m, align 16
  %6 = alloca [0 x i8], align 1
  %7 = alloca {}, align 1
  %8 = alloca <4 x i1>, i1 true, align 1
  %9 = alloca i32, i32 0, align 4
  %10 = load i32, ptr %1
  %11 = load volatile i32, ptr %1, align 1
  %12 = load atomic i32, ptr %1 unordered, align 4
  %13 = load atomic i32, ptr %1 monotonic, align 4
  %14 = load atomic volatile i32, ptr %1 acquire, align 4
  %15 = load atomic i32, ptr %1 syncscope("singlethread") seq_cst, align 8
  %16 = load atomic ptr, ptr %p seq_cst, align 8
  %17 = load atomic float, ptr %p monotonic, align 4
  %18 = load %t, ptr %5
  %19 = load <4 x i1>, ptr %8
  store i32 %10, ptr %1
  store volatile i32 0, ptr %1, align 16
  store atomic i32 %n, ptr %1 unordered, align 4
  store atomic volatile i32 %n, ptr %1 monotonic, align 4
  store atomic i32 %n, ptr %1 release, align 4
  store atomic i32 %n, ptr %1 syncscope("agent") seq_cst, align 4
  store %t zeroinitializer, ptr %5
  store %t { i8 1, [4 x i32] [i32 1, i32 2, i32 3, i32 undef], <2 x i64> <i64 1, i64 poison> }, ptr %5
  store ptr null, ptr %p
  store ptr @f, ptr %p
  fence acquire
  fence release
  fence acq_rel
  fence seq_cst
  fence syncscope("singlethread") seq_cst
  fence syncscope("a\22b") acquire
  ret void
}

;;; stack objects in another address space
target datalayout = "e-A5-p5:32:32"
define ptr addrspace(5) @f(i32 %n) {
  %1 = alloca i32, align 4, addrspace(5)
  %2 = alloca i32, i32 %n, align 8, addrspace(5)
  %3 = alloca i32, align 4, addrspace(5)
  %4 = alloca i64, i32 2, align 8, addrspace(5)
  store i32 1, ptr addrspace(5) %1
  %5 = load i32, ptr addrspace(5) %1
  ret ptr addrspace(5) %2
}

;;; atomic read, modify, write
define void @f(ptr %p, i32 %v, float %x, ptr %q) {
  %1 = atomicrmw xchg ptr %p, i32 %v monotonic
  %2 = atomicrmw add ptr %p, i32 %v acquire
  %3 = atomicrmw sub ptr %p, i32 %v release
  %4 = atomicrmw and ptr %p, i32 %v acq_rel
  %5 = atomicrmw nand ptr %p, i32 %v seq_cst
  %6 = atomicrmw volatile or ptr %p, i32 %v seq_cst, align 4
  %7 = atomicrmw xor ptr %p, i32 %v syncscope("singlethread") seq_cst, align 8
  %8 = atomicrmw max ptr %p, i32 %v seq_cst
  %9 = atomicrmw min ptr %p, i32 %v seq_cst
  %10 = atomicrmw umax ptr %p, i32 %v seq_cst
  %11 = atomicrmw umin ptr %p, i32 %v seq_cst
  %12 = atomicrmw fadd ptr %p, float %x seq_cst
  %13 = atomicrmw fsub ptr %p, float %x seq_cst
  %14 = atomicrmw xchg ptr %p, float %x seq_cst
  %15 = cmpxchg ptr %p, i32 0, i32 %v acq_rel monotonic
  %16 = cmpxchg weak ptr %p, i32 0, i32 %v seq_cst seq_cst
  %17 = cmpxchg weak volatile ptr %p, i32 0, i32 %v syncscope("singlethread") acquire acquire, align 16
  %18 = cmpxchg volatile ptr %p, ptr null, ptr %q monotonic seq_cst
  %19 = extractvalue { i32, i1 } %15, 0
  %20 = extractvalue { i32, i1 } %15, 1
  %21 = extractvalue { ptr, i1 } %18, 0
  ret void
}

;;; operations since LLVM 16
define void @f(ptr %p, i32 %v, float %x, ptr %q) {
  %1 = atomicrmw fmax ptr %p, float %x seq_cst
  %2 = atomicrmw fmin ptr %p, float %x seq_cst
  %3 = atomicrmw uinc_wrap ptr %p, i32 %v seq_cst
  %4 = atomicrmw udec_wrap ptr %p, i32 %v seq_cst, align 4
  %5 = atomicrmw xchg ptr %p, ptr %q seq_cst
  ret void
}

;;; operations since LLVM 20
;;: not printed for 16 19 -- older LLVM has no such operation
define void @f(ptr %p, i32 %v, float %x, <2 x half> %h) {
  %1 = atomicrmw fmaximum ptr %p, float %x seq_cst
  %2 = atomicrmw fminimum ptr %p, float %x seq_cst
  %3 = atomicrmw usub_cond ptr %p, i32 %v seq_cst
  %4 = atomicrmw usub_sat ptr %p, i32 %v seq_cst
  %5 = atomicrmw fadd ptr %p, <2 x half> %h seq_cst, align 4
  ret void
}

;;; addresses
%s = type { i8, i32, [3 x { i64, ptr }], <4 x i16> }
define void @f(ptr %p, i64 %i, i32 %j, <2 x ptr> %v, <2 x i64> %iv, ptr addrspace(1) %a) {
  %1 = getelementptr i8, ptr %p, i64 %i
  %2 = getelementptr inbounds i8, ptr %p, i64 -1
  %3 = getelementptr %s, ptr %p, i64 %i, i32 2, i32 %j, i32 1
  %4 = getelementptr inbounds %s, ptr %p, i32 0, i32 3, i8 2
  %5 = getelementptr [10 x i32], ptr %p, i64 0, i128 3
  %6 = getelementptr i8, ptr %p
  %7 = getelementptr i32, <2 x ptr> %v, i64 1
  %8 = getelementptr i32, <2 x ptr> %v, <2 x i64> %iv
  %9 = getelementptr i32, ptr %p, <2 x i64> %iv
  %10 = getelementptr %s, ptr %p, <2 x i64> %iv, i32 1
  %11 = getelementptr %s, <2 x ptr> %v, <2 x i64> %iv, <2 x i32> <i32 1, i32 1>
  %12 = getelementptr i32, ptr addrspace(1) %a, i32 %j
  %13 = getelementptr %s, ptr %p, <2 x i64> %iv, i32 2, <2 x i64> <i64 0, i64 1>, i32 0
  ret void
}

;;; flags of addresses
define void @f(ptr %p, i64 %i) {
  %1 = getelementptr nuw i8, ptr %p, i64 %i
  %2 = getelementptr nusw i8, ptr %p, i64 %i
  %3 = getelementptr inbounds nuw i8, ptr %p, i64 %i
  %4 = getelementptr nusw nuw i8, ptr %p, i64 %i
  %5 = getelementptr nuw nusw i8, ptr %p, i64 %i
  %6 = getelementptr nuw inbounds i8, ptr %p, i64 %i
  %7 = getelementptr inbounds nusw nuw i8, ptr %p, i64 %i
  ret void
}

;;; aggregates
%s = type { i8, { i32, [2 x float] }, [0 x i64] }
define void @f(%s %a, [3 x { i8, ptr }] %b, <{ i8, i32 }> %c) {
  %1 = extractvalue %s %a, 0
  %2 = extractvalue %s %a, 1
  %3 = extractvalue %s %a, 1, 1, 1
  %4 = extractvalue [3 x { i8, ptr }] %b, 2, 1
  %5 = insertvalue %s %a, i8 1, 0
  %6 = insertvalue %s poison, float 1.5, 1, 1, 0
  %7 = insertvalue %s undef, { i32, [2 x float] } zeroinitializer, 1
  %8 = insertvalue %s zeroinitializer, [0 x i64] zeroinitializer, 2
  %9 = insertvalue <{ i8, i32 }> %c, i32 4, 1
  %10 = extractvalue { i32, i32 } { i32 1, i32 2 }, 1
  %11 = insertvalue { i32, ptr } { i32 1, ptr null }, ptr @f, 1
  ret void
}

;;; vectors
define void @f(<4 x i32> %a, <4 x i32> %b, i32 %i, i64 %j, <vscale x 2 x double> %s, <1 x ptr> %p) {
  %1 = extractelement <4 x i32> %a, i32 0
  %2 = extractelement <4 x i32> %a, i64 %j
  %3 = extractelement <4 x i32> %a, i8 3
  %4 = insertelement <4 x i32> %a, i32 %i, i32 %i
  %5 = insertelement <4 x i32> poison, i32 1, i1 false
  %6 = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %7 = shufflevector <4 x i32> %a, <4 x i32> poison, <2 x i32> <i32 0, i32 undef>
  %8 = shufflevector <4 x i32> %a, <4 x i32> undef, <8 x i32> zeroinitializer
  %9 = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> undef
  %10 = shufflevector <4 x i32> %a, <4 x i32> %b, <2 x i32> <i32 7, i32 poison>
  %11 = shufflevector <4 x i32> %a, <4 x i32> %b, <3 x i32> poison
  %12 = shufflevector <vscale x 2 x double> %s, <vscale x 2 x double> poison, <vscale x 2 x i32> zeroinitializer
  %13 = shufflevector <vscale x 2 x double> %s, <vscale x 2 x double> undef, <vscale x 4 x i32> zeroinitializer
  %14 = extractelement <vscale x 2 x double> %s, i32 1
  %15 = insertelement <vscale x 2 x double> poison, double 1.0, i64 0
  %16 = extractelement <1 x ptr> %p, i32 0
  ret void
}

;;; null pointers in vectors and aggregates
define i1 @f(<2 x ptr> %v) {
  %1 = icmp eq <2 x ptr> %v, zeroinitializer
  %2 = icmp eq <2 x ptr> %v, <ptr null, ptr null>
  %3 = insertelement <2 x ptr> zeroinitializer, ptr null, i32 0
  %4 = insertvalue { ptr, [2 x ptr] } zeroinitializer, ptr null, 1, 0
  %5 = extractelement <2 x i1> %1, i32 0
  ret i1 %5
}

;;; choices
declare void @g(...)
define i32 @f(i1 %c, i32 %a, <2 x i1> %vc, <2 x i32> %v, float %x, { i32, i8 } %s, ptr %l, [2 x i32] %arr) {
entry:
  %0 = select i1 %c, i32 %a, i32 0
  %1 = select <2 x i1> %vc, <2 x i32> %v, <2 x i32> zeroinitializer
  %2 = select i1 %c, <2 x i32> %v, <2 x i32> <i32 1, i32 2>
  %3 = select fast i1 %c, float %x, float 1.0
  %4 = select nnan i1 %c, float %x, float 1.0
  %5 = select i1 %c, { i32, i8 } %s, { i32, i8 } zeroinitializer
  %6 = select i1 true, ptr @f, ptr null
  %7 = freeze i32 %0
  %8 = freeze <2 x i32> %v
  %9 = freeze { i32, i8 } %s
  %10 = freeze i32 poison
  %11 = va_arg ptr %l, i32
  %12 = va_arg ptr %l, ptr
  br i1 %c, label %a1, label %b1
a1:
  br label %b1
b1:
  %13 = phi i32 [ %0, %entry ], [ 7, %a1 ]
  %14 = phi fast float [ %x, %entry ], [ 1.0, %a1 ]
  %15 = phi { i32, i8 } [ %s, %entry ], [ undef, %a1 ]
  %16 = phi ptr [ @f, %entry ], [ null, %a1 ]
  %17 = phi [2 x i32] [ %arr, %entry ], [ zeroinitializer, %a1 ]
  switch i32 %13, label %d [ i32 0, label %e
    i32 -1, label %e i32 5, label %d2 ]
d:
  switch i32 %13, label %d2 []
d2:
  unreachable
e:
  ret i32 %13
}

;;; jumps to addresses
define void @f(ptr %p) {
  indirectbr ptr %p, [label %a, label %b, label %a]
a:
  indirectbr ptr blockaddress(@f, %b), [ label %b ]
b:
  indirectbr ptr %p, []
}

;;; edges that come twice
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %x, label %x
x:
  %p = phi i32 [ 1, %entry ], [ 1, %entry ], [ 9, %y ]
  %q = phi i32 [ %p2, %y ], [ 2, %entry ], [ 2, %entry ]
  %e = icmp eq i32 %q, 3
  br i1 %e, label %y, label %z
y:
  %p2 = add i32 %q, 1
  br label %x
z:
  ret i32 %p
}
