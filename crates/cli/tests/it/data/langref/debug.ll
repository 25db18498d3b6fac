; Debug info: locations, variables in three spellings, attachments.
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "me", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !30)
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "a.c", directory: "/b")
!4 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 3, type: !5, scopeLine: 4, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{null, !10}
!7 = !DILocation(line: 5, column: 6, scope: !4)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !3, line: 3, type: !10)
!9 = !DILocalVariable(name: "y", scope: !11, file: !3, line: 7, type: !12, flags: DIFlagArtificial, align: 32)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = distinct !DILexicalBlock(scope: !4, file: !3, line: 6, column: 3)
!12 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!13 = !DILocation(line: 7, column: 2, scope: !11)
!14 = !DILabel(scope: !4, name: "lab", file: !3, line: 9)
!30 = !{!31}
!31 = !DIGlobalVariableExpression(var: !32, expr: !DIExpression(DW_OP_plus_uconst, 4))
!32 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !3, line: 1, type: !10, isLocal: false, isDefinition: true)

;;; intrinsics
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.label(metadata)
@g = global i32 0, align 4, !dbg !31
define void @f(i32 %x) !dbg !4 {
  %a = alloca i32, align 4
  call void @llvm.dbg.declare(metadata ptr %a, metadata !8, metadata !DIExpression()), !dbg !7
  store i32 %x, ptr %a, align 4, !dbg !7
  call void @llvm.dbg.value(metadata i32 %x, metadata !8, metadata !DIExpression()), !dbg !7
  tail call void @llvm.dbg.value(metadata i32 7, metadata !8, metadata !DIExpression(DW_OP_plus_uconst, 3, DW_OP_stack_value)), !dbg !7
  call void @llvm.dbg.value(metadata ptr undef, metadata !9, metadata !DIExpression()), !dbg !13
  call void @llvm.dbg.value(metadata ptr @g, metadata !9, metadata !DIExpression()), !dbg !13
  call void @llvm.dbg.value(metadata !DIArgList(i32 %x, i32 7), metadata !8, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)), !dbg !7
  call void @llvm.dbg.value(metadata ptr %a, metadata !8, metadata !DIExpression(DW_OP_deref)), !dbg !7
  call void @llvm.dbg.value(metadata i32 %x, metadata !8, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 16)), !dbg !7
  call void @llvm.dbg.value(metadata i32 %x, metadata !8, metadata !DIExpression(DW_OP_constu, 4, DW_OP_minus, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value)), !dbg !7
  call void @llvm.dbg.label(metadata !14), !dbg !7
  call void @llvm.dbg.value(metadata !{}, metadata !8, metadata !DIExpression()), !dbg !7
  ret void, !dbg !7
}

;;; intrinsics with old pointers
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
define void @f(i32 %x, i8* %p) !dbg !4 {
  %a = alloca i32, align 4
  call void @llvm.dbg.declare(metadata i32* %a, metadata !8, metadata !DIExpression()), !dbg !7
  call void @llvm.dbg.value(metadata i8* %p, metadata !9, metadata !DIExpression()), !dbg !13
  %b = bitcast i32* %a to i8*, !dbg !7
  call void @llvm.dbg.value(metadata i8* %b, metadata !9, metadata !DIExpression()), !dbg !13
  call void @llvm.dbg.value(metadata i8* bitcast (void (i32, i8*)* @f to i8*), metadata !9, metadata !DIExpression()), !dbg !13
  ret void, !dbg !7
}

;;; addresses
declare void @llvm.dbg.addr(metadata, metadata, metadata)
define void @f(i32 %x) !dbg !4 {
  %a = alloca i32, align 4
  call void @llvm.dbg.addr(metadata i32* %a, metadata !8, metadata !DIExpression()), !dbg !7
  ret void, !dbg !7
}

;;; assignments
declare void @llvm.dbg.assign(metadata, metadata, metadata, metadata, metadata, metadata)
define void @f(i32 %x) !dbg !4 {
  %a = alloca i32, align 4, !DIAssignID !40
  call void @llvm.dbg.assign(metadata i1 undef, metadata !8, metadata !DIExpression(), metadata !40, metadata ptr %a, metadata !DIExpression()), !dbg !7
  store i32 %x, ptr %a, align 4, !dbg !7, !DIAssignID !41
  call void @llvm.dbg.assign(metadata i32 %x, metadata !8, metadata !DIExpression(), metadata !41, metadata ptr %a, metadata !DIExpression(DW_OP_plus_uconst, 4)), !dbg !7
  ret void, !dbg !7
}
!40 = distinct !DIAssignID()
!41 = distinct !DIAssignID()

;;; records
@g = global i32 0, align 4, !dbg !31
define void @f(i32 %x) !dbg !4 {
    #dbg_value(i32 %x, !8, !DIExpression(), !7)
  %a = alloca i32, align 4, !DIAssignID !40
    #dbg_declare(ptr %a, !8, !DIExpression(), !7)
    #dbg_assign(i1 undef, !8, !DIExpression(), !40, ptr %a, !DIExpression(), !7)
  store i32 %x, ptr %a, align 4, !dbg !7, !DIAssignID !41
    #dbg_assign(i32 %x, !8, !DIExpression(), !41, ptr %a, !DIExpression(DW_OP_plus_uconst, 4), !7)
    #dbg_value(i32 poison, !8, !DIExpression(), !7)
    #dbg_value(!DIArgList(i32 %x, i32 7), !8, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !7)
    #dbg_value(!DIArgList(), !8, !DIExpression(), !7)
    #dbg_value(ptr @g, !9, !DIExpression(), !13)
    #dbg_label(!14, !7)
    #dbg_value(!{}, !8, !DIExpression(), !7)
    #dbg_value(i32 add (i32 ptrtoint (ptr @g to i32), i32 1), !8, !DIExpression(), !DILocation(line: 90, column: 1, scope: !4))
  br label %l, !dbg !7
l:
    #dbg_value(i32 %later, !8, !DIExpression(), !7)
  %later = add i32 %x, 1, !dbg !13
  ret void, !dbg !7
}
!40 = distinct !DIAssignID()
!41 = distinct !DIAssignID()

;;; records since LLVM 22
define void @f(i32 %x) !dbg !4 {
  %a = alloca i32, align 4
    #dbg_declare_value(i32 %x, !8, !DIExpression(), !7)
  ret void, !dbg !7
}

;;; a variable in place
define void @f(i32 %x) !dbg !4 {
    #dbg_value(i32 %x, !DILocalVariable(name: "inl", scope: !4, file: !3, line: 3, type: !10), !DIExpression(), !7)
  ret void, !dbg !7
}

;;; a function without a scope
define void @f(i32 %x) {
    #dbg_value(i32 %x, !8, !DIExpression(), !7)
  ret void
}

;;; types
define void @f(i32 %x) !dbg !4 {
    #dbg_value(i32 %x, !80, !DIExpression(), !7)
    #dbg_value(i32 %x, !81, !DIExpression(), !7)
    #dbg_value(i32 %x, !82, !DIExpression(), !7)
    #dbg_value(i32 %x, !83, !DIExpression(), !7)
    #dbg_value(i32 %x, !84, !DIExpression(), !7)
    #dbg_value(i32 %x, !85, !DIExpression(), !7)
    #dbg_value(i32 %x, !86, !DIExpression(), !7)
  ret void, !dbg !7
}
!80 = !DILocalVariable(name: "a", scope: !4, type: !90)
!81 = !DILocalVariable(name: "b", scope: !4, type: !91)
!82 = !DILocalVariable(name: "c", scope: !4, type: !92)
!83 = !DILocalVariable(name: "d", scope: !4, type: !93)
!84 = !DILocalVariable(name: "e", scope: !4, type: !94)
!85 = !DILocalVariable(scope: !4, type: !95)
!86 = !DILocalVariable(name: "", scope: !4)
!90 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !3, line: 1, size: 64, elements: !96)
!91 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 96, elements: !98)
!92 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "E", baseType: !10, size: 32, elements: !99)
!93 = !DIDerivedType(tag: DW_TAG_typedef, name: "T", baseType: !90)
!94 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !12)
!95 = !DIStringType(name: "str", size: 32)
!96 = !{!87, !97}
!87 = !DIDerivedType(tag: DW_TAG_member, name: "m", baseType: !10, size: 32)
!97 = !DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !10, size: 3, offset: 32, flags: DIFlagBitField, extraData: i64 32)
!98 = !{!88}
!88 = !DISubrange(count: 3)
!99 = !{!89, !100}
!89 = !DIEnumerator(name: "A", value: -1)
!100 = !DIEnumerator(name: "B", value: 18446744073709551615, isUnsigned: true)

;;; attachments
@g = global i32 0, align 4, !dbg !31, !type !60, !associated !61
declare !dbg !70 !foo !60 void @ext()
define i32 @f(ptr %p, i32 %x) !dbg !4 !prof !62 !foo !{} {
  %1 = load i32, ptr %p, align 4, !tbaa !63, !range !66, !noundef !60, !nontemporal !67, !invariant.load !60, !dbg !7
  %2 = load ptr, ptr %p, align 8, !nonnull !60, !dereferenceable !68, !align !69
  store i32 %1, ptr %p, align 4, !tbaa !63, !nontemporal !67
  %3 = icmp eq i32 %1, 0, !dbg !7
  br i1 %3, label %a, label %b, !dbg !7, !prof !71, !unpredictable !60
a:
  call void @ext(), !srcloc !68, !heapallocsite !60
  br label %a, !llvm.loop !72
b:
  %4 = udiv i32 %x, 3, !dbg !7
  switch i32 %x, label %c [ i32 1, label %c ], !prof !74
c:
  %5 = alloca i32, align 4, !annotation !75
  %6 = atomicrmw add ptr %p, i32 1 seq_cst, align 4, !mmra !76
  ret i32 %4, !dbg !7
}
!60 = !{}
!61 = !{ptr @f}
!62 = !{!"function_entry_count", i64 1}
!63 = !{!64, !64, i64 0}
!64 = !{!"int", !65, i64 0}
!65 = !{!"root"}
!66 = !{i32 0, i32 5, i32 7, i32 9}
!67 = !{i32 1}
!68 = !{i64 8}
!69 = !{i64 16}
!70 = !DISubprogram(name: "ext", scope: !3, file: !3, line: 30, type: !5, spFlags: 0)
!71 = !{!"branch_weights", i32 1, i32 2}
!72 = distinct !{!72, !7, !77}
!73 = !{float 2.5}
!74 = !{!"branch_weights", i32 1, i32 2}
!75 = !{!"auto-init"}
!76 = !{!"x", !"y"}
!77 = !{!"llvm.loop.mustprogress"}

;;; locations
define void @h() !dbg !20 {
  call void @g(), !dbg !21
  call void @g(), !dbg !DILocation(line: 9, column: 2, scope: !20)
  call void @g(), !foo !{i32 1}, !dbg !22
  ret void, !dbg !23
}
declare void @g()
!20 = distinct !DISubprogram(name: "h", linkageName: "_h", scope: !3, file: !3, line: 3, type: !5, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = !DILocation(line: 5, column: 6, scope: !20)
!22 = !DILocation(line: 7, scope: !24, inlinedAt: !21)
!23 = distinct !DILocation(scope: !25, line: 8, column: 1, isImplicitCode: true)
!24 = distinct !DISubprogram(name: "i", scope: !3, file: !3, line: 30, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!25 = distinct !DILexicalBlockFile(scope: !26, file: !3, discriminator: 2)
!26 = distinct !DILexicalBlock(scope: !20, file: !3, line: 6, column: 3)

