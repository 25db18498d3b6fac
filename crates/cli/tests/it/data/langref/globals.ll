; Variables, aliases, ifuncs and comdats.

;;; linkage and storage
@a = private global i32 0
@b = internal global i32 0
@c = available_externally global i32 0
@d = linkonce global i32 0
@e = linkonce_odr constant i32 0
@f = weak global i32 0
@g = weak_odr constant i32 0
@h = common global i32 0
@i = appending global [1 x i32] [i32 1]
@j = extern_weak global i32
@k = external global i32
@l = external constant i32
@m = dso_local global i32 0
@n = dso_preemptable global i32 0
@o = hidden global i32 0
@p = protected global i32 0
@q = default global i32 0
@r = weak hidden global i32 0
@s = dso_local local_unnamed_addr global i32 0
@t = unnamed_addr constant i32 0
@u = local_unnamed_addr constant i32 0
@v = private unnamed_addr constant [2 x i8] c"a\00", align 1
@w = thread_local global i32 0
@x = thread_local(localdynamic) global i32 0
@y = thread_local(initialexec) global i32 0
@z = thread_local(localexec) global i32 0
@a1 = external thread_local global i32
@a2 = thread_local(initialexec) unnamed_addr global i32 0
@a3 = addrspace(3) global i32 undef
@a4 = external addrspace(7) constant i32
@a5 = externally_initialized global i32 0
@a6 = addrspace(1) externally_initialized global i32 0
@a7 = external externally_initialized global i32
@a8 = global i32 0, section "foo"
@a9 = global i32 0, align 16
@b1 = global i32 0, section "foo\22bar", align 4
@b2 = global i32 0, partition "part"
@b3 = global i32 0, section "s", partition "part", align 8
@b4 = internal thread_local(localexec) unnamed_addr addrspace(0) externally_initialized constant i32 7, section "x", align 8
@b5 = weak_odr dso_local hidden thread_local local_unnamed_addr global i32 0
@b6 = extern_weak dso_local global i32
@b7 = external hidden global i32
@b8 = extern_weak hidden global i8, align 1
define void @use() {
  %1 = load i32, ptr @j, align 4
  %2 = load i32, ptr @k, align 4
  %3 = load i32, ptr @l, align 4
  %4 = load i32, ptr @a1, align 4
  %5 = load i32, ptr addrspace(7) @a4, align 4
  %6 = load i32, ptr @a7, align 4
  %7 = load i32, ptr @b6, align 4
  %8 = load i32, ptr @b7, align 4
  %9 = load i8, ptr @b8, align 1
  ret void
}

;;; imports and exports
target triple = "x86_64-pc-windows-msvc"
@a = dllexport global i32 0
@b = external dllimport global i32
@c = weak_odr dllexport constant i32 0
@d = dso_local dllexport local_unnamed_addr global i32 0, align 4
declare dllimport void @f()
define dllexport void @g() {
  call void @f()
  %1 = load i32, ptr @b, align 4
  ret void
}
define weak_odr dso_local dllexport void @h() unnamed_addr {
  ret void
}
@al = dllexport alias i32, ptr @a

;;; code models
@a = global i32 0, code_model "large"
@b = global i32 0, section "x", code_model "small", align 4

;;; sanitizers
@a = global i32 0, no_sanitize_address, no_sanitize_hwaddress
@b = global i32 0, sanitize_memtag, align 4
@c = global i32 0, sanitize_address_dyninit
@d = global i32 0, section "q", no_sanitize_address, align 4

;;; groups
$a = comdat any
$b = comdat exactmatch
$c = comdat largest
$d = comdat nodeduplicate
$e = comdat samesize
$"q r" = comdat any
$f = comdat any
@a = linkonce_odr global i32 0, comdat
@b = weak global i32 0, comdat($a)
@x = weak global i32 0, comdat ($"q r"), align 4
@y = weak global i32 0, section "z", comdat($a), align 4
define linkonce_odr void @f() comdat {
  ret void
}
define linkonce_odr void @g() section "t" comdat($a) align 16 {
  ret void
}
define linkonce_odr void @h() unnamed_addr #0 comdat($f) {
  ret void
}
attributes #0 = { nounwind }

;;; kinds of groups
target triple = "x86_64-pc-windows-msvc"
$b = comdat exactmatch
$c = comdat largest
$d = comdat nodeduplicate
$e = comdat samesize
@b = weak global i32 0, comdat
@c = weak global i32 0, comdat
@d = weak global i32 0, comdat
@e = weak global i32 0, comdat

;;; aliases and ifuncs
@v = global [4 x i32] zeroinitializer
@t = thread_local global i32 0
@a1 = alias [4 x i32], ptr @v
@a2 = weak alias i32, getelementptr inbounds ([4 x i32], ptr @v, i64 0, i64 2)
@a3 = internal alias i8, ptr @v
@a4 = hidden alias i32, ptr @v
@a5 = dso_local unnamed_addr alias i32, ptr @v
@a6 = thread_local alias i32, ptr @t
@a7 = thread_local(initialexec) alias i32, ptr @t
@a8 = linkonce_odr local_unnamed_addr alias void (), ptr @f
@a9 = private alias void (), ptr @f
@a10 = alias void (i32, ...), ptr @f
@a11 = alias i32, inttoptr (i64 add (i64 ptrtoint (ptr @v to i64), i64 4) to ptr)
@a12 = alias i32, ptr @a1
@a13 = weak_odr protected alias i32, bitcast (ptr @v to ptr)
@a14 = alias i32, ptr @v, partition "p"
@a15 = alias i8, ptr getelementptr (i8, ptr @v, i64 3)
@i1 = ifunc void (), ptr @r
@i2 = internal ifunc i32 (i32), ptr @r
@i3 = dso_local hidden ifunc void (), ptr @r
@i4 = weak ifunc void (), ptr @r, partition "p"
define void @f() {
  call void @a8()
  call void @a9()
  call void @i1()
  %1 = call i32 @i2(i32 1)
  call void @i3()
  ret void
}
define ptr @r() {
  ret ptr @f
}

;;; aliases in address spaces
@v = addrspace(2) global i32 0
@a = alias i32, ptr addrspace(2) @v
@b = alias i32, addrspacecast (ptr addrspace(2) @v to ptr)
define i32 @f() {
  %1 = load i32, ptr addrspace(2) @a, align 4
  ret i32 %1
}

;;; lists that the linker appends to
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @f, ptr null }, { i32, ptr, ptr } { i32 0, ptr @f, ptr @x }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @f, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @x], section "llvm.metadata"
@llvm.compiler.used = appending global [2 x ptr] [ptr @f, ptr @x], section "llvm.metadata"
@x = internal global i32 0
define internal void @f() {
  ret void
}

;;; opaque objects
%o = type opaque
@x = external global %o
define ptr @f(ptr %p) {
  %1 = load ptr, ptr %p, align 8
  ret ptr @x
}

;;; module assembly
module asm "nop"
module asm "a \22quoted\22 \5C back"
module asm ""
module asm "	.globl foo"
define void @f() {
  ret void
}
