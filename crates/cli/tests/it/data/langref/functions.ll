; Heads of functions: conventions, attributes, address spaces.

;;; conventions
declare ccc void @a0()
declare fastcc void @a1()
declare coldcc void @a2()
declare ghccc void @a3()
declare cc 5 void @a4()
declare anyregcc void @a6()
declare preserve_mostcc void @a7()
declare preserve_allcc void @a8()
declare swiftcc void @a9()
declare cxx_fast_tlscc void @b0()
declare tailcc void @b1()
declare cfguard_checkcc void @b2()
declare swifttailcc void @b3()
declare x86_stdcallcc void @b4()
declare x86_fastcallcc void @b5()
declare arm_apcscc void @b6()
declare arm_aapcscc void @b7()
declare arm_aapcs_vfpcc void @b8()
declare msp430_intrcc void @b9()
declare x86_thiscallcc void @c0()
declare ptx_kernel void @c1()
declare ptx_device void @c2()
declare spir_func void @c3()
declare spir_kernel void @c4()
declare intel_ocl_bicc void @c5()
declare x86_64_sysvcc void @c6()
declare win64cc void @c7()
declare x86_vectorcallcc void @c8()
declare hhvmcc void @c9()
declare hhvm_ccc void @d0()
declare x86_intrcc void @d1(ptr byval(i8))
declare avr_intrcc void @d2()
declare avr_signalcc void @d3()
declare cc 87 void @d4()
declare amdgpu_vs void @d5()
declare amdgpu_gs void @d6()
declare amdgpu_ps void @d7()
declare amdgpu_cs void @d8()
declare amdgpu_kernel void @d9()
declare x86_regcallcc void @e0()
declare amdgpu_hs void @e1()
declare amdgpu_ls void @e2()
declare amdgpu_es void @e3()
declare aarch64_vector_pcs void @e4()
declare aarch64_sve_vector_pcs void @e5()
declare amdgpu_gfx void @e6()
declare cc 1023 void @e7()
define void @f() {
  call ccc void @a0()
  call fastcc void @a1()
  call coldcc void @a2()
  call ghccc void @a3()
  call cc 5 void @a4()
  call anyregcc void @a6()
  call preserve_mostcc void @a7()
  call preserve_allcc void @a8()
  call swiftcc void @a9()
  call cxx_fast_tlscc void @b0()
  call tailcc void @b1()
  call cfguard_checkcc void @b2()
  call swifttailcc void @b3()
  call x86_stdcallcc void @b4()
  call x86_fastcallcc void @b5()
  call arm_apcscc void @b6()
  call arm_aapcscc void @b7()
  call arm_aapcs_vfpcc void @b8()
  call msp430_intrcc void @b9()
  call x86_thiscallcc void @c0()
  call ptx_device void @c2()
  call spir_func void @c3()
  call intel_ocl_bicc void @c5()
  call x86_64_sysvcc void @c6()
  call win64cc void @c7()
  call x86_vectorcallcc void @c8()
  call hhvmcc void @c9()
  call hhvm_ccc void @d0()
  call avr_intrcc void @d2()
  call avr_signalcc void @d3()
  call cc99 void @e7()
  call cc 99 void @e7()
  call x86_regcallcc void @e0()
  call aarch64_vector_pcs void @e4()
  call aarch64_sve_vector_pcs void @e5()
  call amdgpu_gfx void @e6()
  call cc 1023 void @e7()
  ret void
}
define amdgpu_kernel void @k() { ret void }
define ptx_kernel void @k2() { ret void }
define spir_kernel void @k3() { ret void }

;;; conventions that came later
declare preserve_nonecc void @a1()
declare riscv_vector_cc void @a2()
declare m68k_rtdcc void @a3()
declare graalcc void @a4()
declare amdgpu_cs_chain void @a5()
declare amdgpu_cs_chain_preserve void @a6()
declare aarch64_sme_preservemost_from_x0 void @a7()
declare aarch64_sme_preservemost_from_x2 void @a8()
declare riscv_vls_cc(128) void @b1()
declare riscv_vls_cc(256) void @b2()
declare aarch64_sme_preservemost_from_x1 void @b3()
declare amdgpu_gfx_whole_wave i32 @b4(i1)
define void @f() {
  call preserve_nonecc void @a1()
  call riscv_vector_cc void @a2()
  call m68k_rtdcc void @a3()
  call graalcc void @a4()
  call aarch64_sme_preservemost_from_x0 void @a7()
  call aarch64_sme_preservemost_from_x2 void @a8()
  call riscv_vls_cc(128) void @b1()
  call riscv_vls_cc(256) void @b2()
  call aarch64_sme_preservemost_from_x1 void @b3()
  ret void
}

;;; a convention that is gone
;;: last read by 16
declare webkit_jscc void @f()
define void @g() {
  call webkit_jscc void @f()
  ret void
}

;;; declarations
declare void @f1()
declare i32 @f2(i32, ...)
declare void @f3(...)
declare noundef signext i16 @f4(i8 noundef zeroext %name, ptr nocapture readonly %1)
declare extern_weak void @f5()
declare dso_local void @f6() local_unnamed_addr
declare hidden void @f7() unnamed_addr
declare void @f8() section "x" align 16 gc "statepoint-example"
declare !dbg !1 void @f9()
declare void @f10() addrspace(0)
define void @"weird name \22"() {
  call void @f1() call void @f3()
  %1 = call i32 (i32, ...) @f2(i32 1, double 2.0)
  call void (...) @f3(i32 1)
  %2 = call noundef signext i16 @f4(i8 noundef zeroext 1, ptr null)
  call void @f5() call void @f6() call void @f7() call void @f8() call void @f9() call void @f10() ret void }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, emissionKind: FullDebug)
!1 = !DISubprogram(name: "f9", file: !3, spFlags: 0)
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "a", directory: "b")

;;; definitions
;;: note -- prefix and prologue data is for whoever reads code as data
declare i32 @pers(...)
define void @f1() prefix i32 7 { ret void }
define void @f2() prologue i8 -112 { ret void }
define void @f3() personality ptr @pers { ret void }
define void @f4() section "s" partition "p" align 32 gc "shadow-stack" prefix { i32, ptr } { i32 1, ptr @f1 } prologue <{ i8, i8 }> <{ i8 -112, i8 -112 }> personality ptr @pers !x !0 { ret void }
define internal fastcc noundef nonnull align 8 dereferenceable(16) ptr @f5(ptr noalias noundef align 8 dereferenceable(4) %x) unnamed_addr #0 !x !{} !y !{i32 1} { ret ptr %x }
define weak_odr protected void @f6() { ret void }
define available_externally void @f7() { ret void }
define linkonce void @f8() { ret void }
define private void @f9() { ret void }
define external void @f10() { ret void }
define weak dso_local hidden void @f11() local_unnamed_addr { ret void }
define void @f12(i32, i32 %x, i32, ptr) { %4 = add i32 %0, %1 %5 = add i32 %x, %4 ret void }
define void @f13(i32 %0, i32 %1) { 2: br label %3 3: ret void }
define void @f14() { entry: ret void }
define void @f15() { 0: ret void }
define <{ i8, i32 }> @f16() { ret <{ i8, i32 }> <{ i8 1, i32 2 }> }
define [2 x [2 x i8]] @f17() { ret [2 x [2 x i8]] [[2 x i8] c"ab", [2 x i8] [i8 1, i8 2]] }
define {} @f18() { ret {} zeroinitializer }
define {} @f19() { ret {} undef }
define void @f20(i32 %"a b", i32 %"1x", i32 %-x, i32 %a.b-c$d_e) { %"y\22z" = add i32 %"a b", %a.b-c$d_e ret void }
attributes #0 = { nounwind "frame-pointer"="all" }
!0 = !{}

;;; the space of the program
target datalayout = "P1-p1:16:16"
declare void @g(i32) addrspace(1)
declare void @h(i32) addrspace(0)
define void @f(ptr addrspace(1) %fp, ptr %q) addrspace(1) {
  call addrspace(1) void @g(i32 1)
  call addrspace(1) void %fp(i32 1)
  call addrspace(0) void %q()
  call addrspace(0) void @h(i32 1)
  ret void
}
define void @f0() addrspace(0) {
  ret void
}
@p = global ptr addrspace(1) @f

;;; spaces of functions
declare void @g(i32) addrspace(3)
define void @f() addrspace(4) {
  call addrspace(3) void @g(i32 1)
  ret void
}
@p = global ptr addrspace(4) @f

;;; spaces by name
target datalayout = "e-p:64:64-p1:32:32-A5-G1-P2"
@g = addrspace(1) global i32 0
@h = addrspace("G") global i32 0
define void @f(ptr addrspace("A") %x, ptr addrspace("P") %y) addrspace(2) {
  %a = alloca i32, align 4, addrspace("A")
  store i32 1, ptr addrspace(5) %a, align 4
  ret void
}

;;; the space of variables
target datalayout = "e-G1"
@g = addrspace(1) global i32 0
@h = addrspace(0) global i32 0
@p = addrspace(1) global ptr addrspace(1) @g

;;; attributes of functions
declare ptr @f0(i64, i64) allocsize(0,1)
define void @f1() alignstack(16) alwaysinline { ret void }
define void @f2() cold convergent hot inlinehint minsize naked { ret void }
define void @f3() nobuiltin nocallback noduplicate nofree noimplicitfloat noinline nomerge nonlazybind noprofile noredzone noreturn norecurse nosync nounwind null_pointer_is_valid optforfuzzing optnone returns_twice safestack sanitize_address sanitize_hwaddress sanitize_memory sanitize_memtag sanitize_thread shadowcallstack speculatable speculative_load_hardening ssp uwtable willreturn mustprogress strictfp { ret void }
define void @f4() sspreq optsize uwtable(async) { ret void }
define void @f5() sspstrong uwtable(sync) vscale_range(1,16) vscale_range(2) nosanitize_coverage skipprofile presplitcoroutine "a" "b"="c" "d e"="f\22g" #1 #2 { ret void }
attributes #1 = { nounwind alignstack=16 "no-builtins" "target-cpu"="x86-64" "target-features"="+sse2,+avx" "denormal-fp-math"="preserve-sign,preserve-sign" "no-builtin-malloc" }
attributes #2 = { "frame-pointer"="all" "probe-stack"="inline-asm" "stackrealign" "patchable-function"="prologue-short-redirect" "patchable-function-entry"="2" "no-frame-pointer-elim"="true" "less-precise-fpmad"="false" "stack-probe-size"="4096" "use-soft-float"="false" "no-stack-arg-probe" "no-jump-tables"="true" "null-pointer-is-valid"="true" "alloc-family"="malloc" "thunk" "split-stack" "strictfp" "instrument-function-entry-inlined"="mcount" "function-instrument"="xray-always" }

;;; attributes of allocators
declare ptr @f1(ptr allocptr, i64) allockind("realloc") "alloc-family"="malloc"
declare ptr @f2(i64 allocalign, i64) allockind("alloc,aligned,uninitialized") allocsize(1) memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @f3() memory(none)
declare void @f4() memory(read)
declare void @f5() memory(write)
declare void @f6() memory(readwrite)
declare void @f7() memory(argmem: read)
declare void @f8() memory(read, argmem: none)
declare void @f9() memory(write, argmem: read, inaccessiblemem: none)

;;; attributes that came later
define void @f1() sanitize_realtime sanitize_numerical_stability hybrid_patchable coro_elide_safe coro_only_destroy_when_complete fn_ret_thunk_extern nodivergencesource disable_sanitizer_instrumentation nocf_check { ret void }
define void @f2() sanitize_type { ret void }
define void @f3() sanitize_realtime_blocking optdebug nocreateundeforpoison { ret void }
declare void @f4() memory(target_mem0: read, target_mem1: write)

;;; attributes of parameters
%t = type { i32, i64 }
declare void @f1(i8 zeroext, i8 signext, i32 inreg, ptr byval(%t), ptr byref(%t), ptr align 16, ptr noalias, ptr nofree, ptr nest, ptr nonnull, ptr dereferenceable(8), ptr dereferenceable_or_null(8), i32 noundef, ptr readnone, ptr readonly, ptr writeonly, ptr alignstack(16) byval(%t) align 8, ptr nocapture)
declare void @f2(ptr sret(%t) align 8 noalias)
declare ptr @f3(ptr returned)
declare void @f4(ptr inalloca(%t))
declare zeroext i8 @f5()
declare inreg i64 @f6()
declare "x" "y"="z" i8 @f7(i8 "dummy")
define void @f8(ptr swiftself %a, ptr swifterror %b) { ret void }
define void @f9(ptr swiftasync %a) { ret void }
define void @f10(ptr byval(%t) %a, ptr %b) {
  %r = alloca %t, align 8
  call void @f1(i8 zeroext 1, i8 signext 2, i32 inreg 3, ptr byval(%t) %a, ptr byref(%t) %b, ptr align 16 null, ptr noalias %a, ptr nofree %a, ptr nest %a, ptr nonnull %a, ptr dereferenceable(8) %a, ptr dereferenceable_or_null(8) %a, i32 noundef 7, ptr readnone %a, ptr readonly %a, ptr writeonly %a, ptr alignstack(16) byval(%t) align 8 %a, ptr nocapture %a)
  call void @f2(ptr sret(%t) align 8 %r)
  %1 = call ptr @f3(ptr returned %a)
  %2 = call zeroext i8 @f5()
  %3 = call inreg i64 @f6()
  %e = alloca swifterror ptr, align 8
  call void @f8(ptr swiftself %a, ptr swifterror %e)
  call void @f9(ptr swiftasync %a)
  %4 = call "x" i8 @f7(i8 5)
  ret void
}

;;; attributes of parameters since LLVM 19
declare void @f1(i32 range(i32 0, 5), i8 range(i8 -1, 1), ptr dead_on_unwind, ptr writable dereferenceable(4), float nofpclass(nan inf))
declare range(i64 0, 10) i64 @f2()
declare nofpclass(1) float @f3(<2 x i32> range(i32 -5, 3), i200 range(i200 -1, 100000000000000000000000000000000000000000000))
define void @f() {
  %1 = call range(i64 0, 10) i64 @f2()
  call void @f1(i32 range(i32 0, 5) 1, i8 0, ptr null, ptr null, float 1.0)
  ret void
}

;;; attributes of parameters since LLVM 21
declare void @f1(ptr captures(none), ptr captures(ret: address, provenance), ptr captures(address_is_null), ptr initializes((0, 4), (8, 12)), i32 noext, ptr dead_on_return, ptr captures(address, read_provenance))

;;; arguments in memory of the caller
target triple = "i386-pc-windows-msvc"
%t = type { i32, i64 }
declare void @f4(ptr inalloca(%t))
define void @f() {
  %s = call ptr @llvm.stacksave()
  %a = alloca inalloca %t, align 4
  call void @f4(ptr inalloca(%t) %a)
  call void @llvm.stackrestore(ptr %s)
  ret void
}
declare ptr @llvm.stacksave()
declare void @llvm.stackrestore(ptr)

;;; attributes of results
declare signext i8 @a()
declare zeroext i8 @b()
declare inreg i8 @c()
declare noalias nonnull ptr @d()
declare <2 x float> @e()
declare { i64, i64 } @g()
define signext i8 @f() {
  %1 = call signext i8 @a()
  %2 = call zeroext i8 @b()
  %3 = call inreg i8 @c()
  %4 = call noalias nonnull ptr @d()
  %5 = call nnan <2 x float> @e()
  %6 = call { i64, i64 } @g()
  ret i8 %1
}
