; Source variables in each of the three spellings, and types that refer to each other.
target triple = "x86_64-pc-linux-gnu"

@counter = global i32 0, align 4, !dbg !40

declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)

define i32 @old(i32 %n, ptr %req) !dbg !10 {
entry:
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
  call void @llvm.dbg.declare(metadata ptr %n.addr, metadata !14, metadata !DIExpression()), !dbg !16
  call void @llvm.dbg.declare(metadata ptr %i, metadata !15, metadata !DIExpression()), !dbg !17
  store i32 0, ptr %i, align 4, !dbg !17
  br label %loop, !dbg !17

loop:
  %0 = load i32, ptr %i, align 4, !dbg !18
  %1 = load i32, ptr %n.addr, align 4, !dbg !18
  %c = icmp slt i32 %0, %1, !dbg !18
  br i1 %c, label %body, label %end, !dbg !18

body:
  %2 = add nsw i32 %0, 1, !dbg !18
  store i32 %2, ptr %i, align 4, !dbg !18
  br label %loop, !dbg !18

end:
  call void @llvm.dbg.value(metadata i32 %0, metadata !15, metadata !DIExpression(DW_OP_plus_uconst, 3, DW_OP_stack_value)), !dbg !18
  ret i32 %0, !dbg !DILocation(line: 9, column: 3, scope: !10)
}

define void @new(ptr %p, i32 %v) !dbg !20 {
  %s = alloca { i32, [2 x i16] }, align 4
    #dbg_declare(ptr %s, !21, !DIExpression(), !23)
    #dbg_value(i32 %v, !22, !DIExpression(), !23)
  %f = getelementptr inbounds i8, ptr %s, i64 4
  store i16 7, ptr %f, align 2
    #dbg_value(!DIArgList(i32 %v, i32 1), !22, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !24)
    #dbg_assign(i32 poison, !22, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !25, ptr %p, !DIExpression(), !24)
    #dbg_value(ptr %p, !22, !DIExpression(DW_OP_deref), !24)
  ret void, !dbg !24
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "a compiler 1.0", isOptimized: false, emissionKind: FullDebug, globals: !{!40})
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "old", scope: !1, file: !1, line: 3, type: !11, unit: !0, retainedNodes: !{!14, !15})
!11 = !DISubroutineType(types: !12)
!12 = !{!13, !13, !30}
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!14 = !DILocalVariable(name: "n", arg: 1, scope: !10, file: !1, line: 3, type: !13)
!15 = !DILocalVariable(name: "i", scope: !19, file: !1, line: 4, type: !33)
!16 = !DILocation(line: 3, column: 13, scope: !10)
!17 = !DILocation(line: 4, column: 12, scope: !19)
!18 = !DILocation(line: 5, column: 7, scope: !19, inlinedAt: !16)
!19 = distinct !DILexicalBlock(scope: !10, file: !1, line: 4, column: 3)
!20 = distinct !DISubprogram(name: "new", linkageName: "_ZN2ns3newEPv", scope: !26, file: !1, line: 20, type: !11, unit: !0)
!21 = !DILocalVariable(name: "s", scope: !20, file: !1, line: 21, type: !31)
!22 = !DILocalVariable(name: "v", arg: 2, scope: !20, file: !1, line: 20, type: !13)
!23 = !DILocation(line: 21, column: 3, scope: !20)
!24 = !DILocation(line: 22, column: 3, scope: !20)
!25 = distinct !DIAssignID()
!26 = !DINamespace(name: "ns", scope: null)
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !31, size: 64)
!31 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "request", file: !1, line: 1, size: 64, elements: !{!32, !34, !37})
!32 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !31, baseType: !33, size: 5, offset: 3, flags: DIFlagBitField, extraData: i64 0)
!33 = !DIDerivedType(tag: DW_TAG_typedef, name: "u32", baseType: !36)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !31, baseType: !30, size: 64)
!35 = !DISubrange(count: 2, lowerBound: 0)
!36 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !13)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "grid", scope: !31, baseType: !38, size: 32, offset: 32)
!38 = !DICompositeType(tag: DW_TAG_array_type, baseType: !39, size: 32, elements: !{!35, !35})
!39 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "color", file: !1, baseType: !13, size: 8, elements: !{!43})
!40 = !DIGlobalVariableExpression(var: !41, expr: !DIExpression())
!41 = distinct !DIGlobalVariable(name: "counter", scope: !0, file: !1, line: 2, type: !13, isDefinition: true)
!43 = !DIEnumerator(name: "RED", value: -1)
