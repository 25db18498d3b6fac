; Made of the C source beside it.

define weak ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(ptr noundef %0) {
  %2 = getelementptr inbounds i8, ptr %0, i64 24
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %10, label %5

5:
  %6 = phi ptr [ %8, %5 ], [ %3, %1 ]
  %7 = getelementptr inbounds i8, ptr %6, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %22, label %5

10:
  %11 = phi ptr [ %13, %10 ], [ %0, %1 ]
  %12 = getelementptr inbounds i8, ptr %11, i64 8
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds i8, ptr %13, i64 24
  %15 = load ptr, ptr %14, align 8
  %16 = icmp eq ptr %11, %15
  br i1 %16, label %10, label %17

17:
  %18 = getelementptr inbounds i8, ptr %11, i64 24
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, %13
  %21 = select i1 %20, ptr %11, ptr %13
  br label %22

22:
  %23 = phi ptr [ %21, %17 ], [ %6, %5 ]
  ret ptr %23
}

define weak ptr @_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(ptr noundef %0) {
  %2 = getelementptr inbounds i8, ptr %0, i64 24
  %3 = load ptr, ptr %2, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %10, label %5

5:
  %6 = phi ptr [ %8, %5 ], [ %3, %1 ]
  %7 = getelementptr inbounds i8, ptr %6, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %22, label %5

10:
  %11 = phi ptr [ %13, %10 ], [ %0, %1 ]
  %12 = getelementptr inbounds i8, ptr %11, i64 8
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds i8, ptr %13, i64 24
  %15 = load ptr, ptr %14, align 8
  %16 = icmp eq ptr %11, %15
  br i1 %16, label %10, label %17

17:
  %18 = getelementptr inbounds i8, ptr %11, i64 24
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, %13
  %21 = select i1 %20, ptr %11, ptr %13
  br label %22

22:
  %23 = phi ptr [ %21, %17 ], [ %6, %5 ]
  ret ptr %23
}

define weak ptr @_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(ptr noundef %0) {
  %2 = load i32, ptr %0, align 8
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %4, label %15

4:
  %5 = getelementptr inbounds i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %15, label %8

8:
  %9 = getelementptr inbounds i8, ptr %6, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, %0
  br i1 %11, label %12, label %15

12:
  %13 = getelementptr inbounds i8, ptr %0, i64 24
  %14 = load ptr, ptr %13, align 8
  br label %36

15:
  %16 = getelementptr inbounds i8, ptr %0, i64 16
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, null
  br i1 %18, label %24, label %19

19:
  %20 = phi ptr [ %22, %19 ], [ %17, %15 ]
  %21 = getelementptr inbounds i8, ptr %20, i64 24
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %36, label %19

24:
  %25 = phi ptr [ %27, %24 ], [ %0, %15 ]
  %26 = getelementptr inbounds i8, ptr %25, i64 8
  %27 = load ptr, ptr %26, align 8
  %28 = getelementptr inbounds i8, ptr %27, i64 16
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %25, %29
  br i1 %30, label %24, label %31

31:
  %32 = getelementptr inbounds i8, ptr %25, i64 16
  %33 = load ptr, ptr %32, align 8
  %34 = icmp eq ptr %33, %27
  %35 = select i1 %34, ptr %25, ptr %27
  br label %36

36:
  %37 = phi ptr [ %14, %12 ], [ %35, %31 ], [ %20, %19 ]
  ret ptr %37
}

define weak ptr @_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(ptr noundef %0) {
  %2 = tail call ptr @_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(ptr noundef %0)
  ret ptr %2
}

define weak void @_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(i1 noundef zeroext %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) {
  store i32 0, ptr %1, align 8
  %5 = getelementptr inbounds i8, ptr %1, i64 8
  store ptr %2, ptr %5, align 8
  %6 = getelementptr inbounds i8, ptr %1, i64 16
  %7 = icmp eq ptr %2, %3
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %6, i8 0, i64 16, i1 false)
  br i1 %7, label %8, label %12

8:
  %9 = getelementptr inbounds i8, ptr %3, i64 16
  %10 = getelementptr inbounds i8, ptr %3, i64 24
  store ptr %1, ptr %10, align 8
  store ptr %1, ptr %9, align 8
  %11 = getelementptr inbounds i8, ptr %3, i64 8
  br label %21

12:
  %13 = getelementptr inbounds i8, ptr %2, i64 16
  %14 = xor i1 %0, true
  %15 = zext i1 %14 to i64
  %16 = getelementptr inbounds [2 x ptr], ptr %13, i64 0, i64 %15
  store ptr %1, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %3, i64 16
  %18 = getelementptr inbounds [2 x ptr], ptr %17, i64 0, i64 %15
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, %2
  br i1 %20, label %21, label %23

21:
  %22 = phi ptr [ %11, %8 ], [ %18, %12 ]
  store ptr %1, ptr %22, align 8
  br label %23

23:
  %24 = getelementptr inbounds i8, ptr %3, i64 8
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, %1
  br i1 %26, label %117, label %27

27:
  %28 = phi ptr [ %35, %48 ], [ %1, %23 ]
  %29 = getelementptr inbounds i8, ptr %28, i64 8
  %30 = load ptr, ptr %29, align 8
  %31 = load i32, ptr %30, align 8
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %117

33:
  %34 = getelementptr inbounds i8, ptr %30, i64 8
  %35 = load ptr, ptr %34, align 8
  %36 = getelementptr inbounds i8, ptr %35, i64 16
  %37 = getelementptr inbounds i8, ptr %35, i64 24
  %38 = load ptr, ptr %37, align 8
  %39 = icmp eq ptr %30, %38
  %40 = xor i1 %39, true
  %41 = zext i1 %40 to i64
  %42 = getelementptr inbounds [2 x ptr], ptr %36, i64 0, i64 %41
  %43 = load ptr, ptr %42, align 8
  %44 = icmp eq ptr %43, null
  br i1 %44, label %51, label %45

45:
  %46 = load i32, ptr %43, align 8
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %48, label %51

48:
  store i32 1, ptr %43, align 8
  store i32 1, ptr %30, align 8
  store i32 0, ptr %35, align 8
  %49 = load ptr, ptr %24, align 8
  %50 = icmp eq ptr %35, %49
  br i1 %50, label %117, label %27

51:
  %52 = getelementptr inbounds i8, ptr %3, i64 8
  %53 = getelementptr inbounds i8, ptr %30, i64 8
  %54 = getelementptr inbounds i8, ptr %30, i64 16
  %55 = getelementptr inbounds [2 x ptr], ptr %54, i64 0, i64 %41
  %56 = load ptr, ptr %55, align 8
  %57 = icmp eq ptr %28, %56
  br i1 %57, label %58, label %87

58:
  %59 = xor i1 %39, true
  %60 = zext i1 %59 to i64
  %61 = getelementptr inbounds [2 x ptr], ptr %54, i64 0, i64 %60
  %62 = load ptr, ptr %61, align 8
  %63 = getelementptr inbounds i8, ptr %62, i64 16
  %64 = zext i1 %39 to i64
  %65 = getelementptr inbounds [2 x ptr], ptr %63, i64 0, i64 %64
  %66 = load ptr, ptr %65, align 8
  store ptr %66, ptr %61, align 8
  %67 = load ptr, ptr %65, align 8
  %68 = icmp eq ptr %67, null
  br i1 %68, label %71, label %69

69:
  %70 = getelementptr inbounds i8, ptr %67, i64 8
  store ptr %30, ptr %70, align 8
  br label %71

71:
  %72 = load ptr, ptr %53, align 8
  %73 = icmp eq ptr %72, %3
  br i1 %73, label %81, label %74

74:
  %75 = getelementptr inbounds i8, ptr %72, i64 16
  %76 = getelementptr inbounds i8, ptr %72, i64 24
  %77 = load ptr, ptr %76, align 8
  %78 = icmp eq ptr %77, %30
  %79 = zext i1 %78 to i64
  %80 = getelementptr inbounds [2 x ptr], ptr %75, i64 0, i64 %79
  br label %81

81:
  %82 = phi ptr [ %80, %74 ], [ %52, %71 ]
  store ptr %62, ptr %82, align 8
  %83 = icmp eq ptr %62, null
  br i1 %83, label %86, label %84

84:
  %85 = getelementptr inbounds i8, ptr %62, i64 8
  store ptr %72, ptr %85, align 8
  br label %86

86:
  store ptr %30, ptr %65, align 8
  store ptr %62, ptr %53, align 8
  br label %87

87:
  %88 = phi ptr [ %28, %86 ], [ %30, %51 ]
  store i32 1, ptr %88, align 8
  store i32 0, ptr %35, align 8
  %89 = zext i1 %39 to i64
  %90 = getelementptr inbounds [2 x ptr], ptr %36, i64 0, i64 %89
  %91 = load ptr, ptr %90, align 8
  %92 = getelementptr inbounds i8, ptr %91, i64 16
  %93 = zext i1 %40 to i64
  %94 = getelementptr inbounds [2 x ptr], ptr %92, i64 0, i64 %93
  %95 = load ptr, ptr %94, align 8
  store ptr %95, ptr %90, align 8
  %96 = load ptr, ptr %94, align 8
  %97 = icmp eq ptr %96, null
  br i1 %97, label %100, label %98

98:
  %99 = getelementptr inbounds i8, ptr %96, i64 8
  store ptr %35, ptr %99, align 8
  br label %100

100:
  %101 = getelementptr inbounds i8, ptr %35, i64 8
  %102 = load ptr, ptr %101, align 8
  %103 = icmp eq ptr %102, %3
  br i1 %103, label %111, label %104

104:
  %105 = getelementptr inbounds i8, ptr %102, i64 16
  %106 = getelementptr inbounds i8, ptr %102, i64 24
  %107 = load ptr, ptr %106, align 8
  %108 = icmp eq ptr %107, %35
  %109 = zext i1 %108 to i64
  %110 = getelementptr inbounds [2 x ptr], ptr %105, i64 0, i64 %109
  br label %111

111:
  %112 = phi ptr [ %110, %104 ], [ %52, %100 ]
  store ptr %91, ptr %112, align 8
  %113 = icmp eq ptr %91, null
  br i1 %113, label %116, label %114

114:
  %115 = getelementptr inbounds i8, ptr %91, i64 8
  store ptr %102, ptr %115, align 8
  br label %116

116:
  store ptr %35, ptr %94, align 8
  store ptr %91, ptr %101, align 8
  br label %119

117:
  %118 = getelementptr inbounds i8, ptr %3, i64 8
  br label %119

119:
  %120 = phi ptr [ %118, %117 ], [ %52, %116 ]
  %121 = load ptr, ptr %120, align 8
  store i32 1, ptr %121, align 8
  ret void
}

define weak ptr @_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(ptr noundef %0, ptr noundef %1) {
  %3 = getelementptr inbounds i8, ptr %1, i64 16
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = getelementptr inbounds i8, ptr %0, i64 16
  %6 = getelementptr inbounds i8, ptr %0, i64 16
  br label %7

7:
  %8 = phi i64 [ 0, %2 ], [ %50, %49 ]
  %9 = getelementptr inbounds [2 x ptr], ptr %3, i64 0, i64 %8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, %0
  br i1 %11, label %12, label %49

12:
  %13 = load ptr, ptr %4, align 8
  %14 = icmp eq ptr %13, %0
  br i1 %14, label %15, label %21

15:
  %16 = and i64 %8, 4294967295
  %17 = xor i64 %16, 1
  %18 = getelementptr inbounds [2 x ptr], ptr %5, i64 0, i64 %17
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, null
  br i1 %20, label %47, label %21

21:
  %22 = and i64 %8, 4294967295
  %23 = xor i64 %22, 1
  %24 = getelementptr inbounds [2 x ptr], ptr %6, i64 0, i64 %23
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, null
  br i1 %26, label %33, label %27

27:
  %28 = phi ptr [ %31, %27 ], [ %25, %21 ]
  %29 = getelementptr inbounds i8, ptr %28, i64 16
  %30 = getelementptr inbounds [2 x ptr], ptr %29, i64 0, i64 %8
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %47, label %27

33:
  %34 = phi ptr [ %36, %33 ], [ %0, %21 ]
  %35 = getelementptr inbounds i8, ptr %34, i64 8
  %36 = load ptr, ptr %35, align 8
  %37 = getelementptr inbounds i8, ptr %36, i64 16
  %38 = getelementptr inbounds [2 x ptr], ptr %37, i64 0, i64 %23
  %39 = load ptr, ptr %38, align 8
  %40 = icmp eq ptr %34, %39
  br i1 %40, label %33, label %41

41:
  %42 = getelementptr inbounds i8, ptr %34, i64 16
  %43 = getelementptr inbounds [2 x ptr], ptr %42, i64 0, i64 %23
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %44, %36
  %46 = select i1 %45, ptr %34, ptr %36
  br label %47

47:
  %48 = phi ptr [ %1, %15 ], [ %46, %41 ], [ %28, %27 ]
  store ptr %48, ptr %9, align 8
  br label %49

49:
  %50 = add nuw nsw i64 %8, 1
  %51 = icmp eq i64 %8, 0
  br i1 %51, label %7, label %52

52:
  %53 = getelementptr inbounds i8, ptr %0, i64 16
  %54 = load ptr, ptr %53, align 8
  %55 = icmp eq ptr %54, null
  br i1 %55, label %118, label %56

56:
  %57 = getelementptr inbounds i8, ptr %0, i64 24
  %58 = load ptr, ptr %57, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %117, label %60

60:
  %61 = phi ptr [ %63, %60 ], [ %58, %56 ]
  %62 = getelementptr inbounds i8, ptr %61, i64 16
  %63 = load ptr, ptr %62, align 8
  %64 = icmp eq ptr %63, null
  br i1 %64, label %65, label %60

65:
  %66 = getelementptr inbounds i8, ptr %61, i64 16
  %67 = getelementptr inbounds i8, ptr %61, i64 8
  %68 = load ptr, ptr %67, align 8
  %69 = load i32, ptr %61, align 8
  %70 = getelementptr inbounds i8, ptr %68, i64 24
  %71 = load ptr, ptr %70, align 8
  %72 = icmp eq ptr %61, %71
  %73 = zext i1 %72 to i32
  %74 = getelementptr inbounds i8, ptr %61, i64 24
  %75 = load ptr, ptr %74, align 8
  %76 = icmp eq ptr %68, %1
  %77 = getelementptr inbounds i8, ptr %68, i64 16
  %78 = zext i1 %72 to i64
  %79 = getelementptr inbounds [2 x ptr], ptr %77, i64 0, i64 %78
  %80 = getelementptr inbounds i8, ptr %1, i64 8
  %81 = select i1 %76, ptr %80, ptr %79
  store ptr %75, ptr %81, align 8
  %82 = icmp eq ptr %75, null
  br i1 %82, label %85, label %83

83:
  %84 = getelementptr inbounds i8, ptr %75, i64 8
  store ptr %68, ptr %84, align 8
  br label %85

85:
  %86 = icmp eq ptr %68, %0
  %87 = select i1 %86, ptr %61, ptr %68
  %88 = getelementptr inbounds i8, ptr %0, i64 8
  %89 = load ptr, ptr %88, align 8
  %90 = icmp eq ptr %89, %1
  br i1 %90, label %91, label %93

91:
  %92 = getelementptr inbounds i8, ptr %1, i64 8
  br label %100

93:
  %94 = getelementptr inbounds i8, ptr %89, i64 16
  %95 = getelementptr inbounds i8, ptr %89, i64 24
  %96 = load ptr, ptr %95, align 8
  %97 = icmp eq ptr %96, %0
  %98 = zext i1 %97 to i64
  %99 = getelementptr inbounds [2 x ptr], ptr %94, i64 0, i64 %98
  br label %100

100:
  %101 = phi ptr [ %92, %91 ], [ %99, %93 ]
  store ptr %61, ptr %101, align 8
  store ptr %89, ptr %67, align 8
  %102 = load i32, ptr %0, align 8
  store i32 %102, ptr %61, align 8
  br label %103

103:
  %104 = phi i64 [ 0, %100 ], [ %112, %111 ]
  %105 = getelementptr inbounds [2 x ptr], ptr %53, i64 0, i64 %104
  %106 = load ptr, ptr %105, align 8
  %107 = getelementptr inbounds [2 x ptr], ptr %66, i64 0, i64 %104
  store ptr %106, ptr %107, align 8
  %108 = icmp eq ptr %106, null
  br i1 %108, label %111, label %109

109:
  %110 = getelementptr inbounds i8, ptr %106, i64 8
  store ptr %61, ptr %110, align 8
  br label %111

111:
  %112 = add nuw nsw i64 %104, 1
  %113 = icmp eq i64 %104, 0
  br i1 %113, label %103, label %114

114:
  %115 = icmp eq i32 %69, 0
  br i1 %115, label %154, label %116

116:
  tail call fastcc void @refill(ptr noundef %87, i32 noundef %73, ptr noundef %1)
  br label %154

117:
  br i1 %55, label %118, label %121

118:
  %119 = getelementptr inbounds i8, ptr %0, i64 24
  %120 = load ptr, ptr %119, align 8
  br label %121

121:
  %122 = phi ptr [ %120, %118 ], [ %54, %117 ]
  %123 = getelementptr inbounds i8, ptr %0, i64 8
  %124 = load ptr, ptr %123, align 8
  %125 = icmp eq ptr %124, %1
  br i1 %125, label %131, label %126

126:
  %127 = getelementptr inbounds i8, ptr %124, i64 24
  %128 = load ptr, ptr %127, align 8
  %129 = icmp eq ptr %128, %0
  %130 = zext i1 %129 to i32
  br label %131

131:
  %132 = phi i32 [ 0, %121 ], [ %130, %126 ]
  br i1 %125, label %133, label %135

133:
  %134 = getelementptr inbounds i8, ptr %1, i64 8
  br label %142

135:
  %136 = getelementptr inbounds i8, ptr %124, i64 16
  %137 = getelementptr inbounds i8, ptr %124, i64 24
  %138 = load ptr, ptr %137, align 8
  %139 = icmp eq ptr %138, %0
  %140 = zext i1 %139 to i64
  %141 = getelementptr inbounds [2 x ptr], ptr %136, i64 0, i64 %140
  br label %142

142:
  %143 = phi ptr [ %141, %135 ], [ %134, %133 ]
  store ptr %122, ptr %143, align 8
  %144 = icmp eq ptr %122, null
  br i1 %144, label %147, label %145

145:
  %146 = getelementptr inbounds i8, ptr %122, i64 8
  store ptr %124, ptr %146, align 8
  br label %147

147:
  %148 = load i32, ptr %0, align 8
  %149 = icmp eq i32 %148, 0
  br i1 %149, label %154, label %150

150:
  br i1 %125, label %151, label %153

151:
  br i1 %144, label %154, label %152

152:
  store i32 1, ptr %122, align 8
  br label %154

153:
  tail call fastcc void @refill(ptr noundef %124, i32 noundef %132, ptr noundef %1)
  br label %154

154:
  ret ptr %0
}

define internal fastcc void @refill(ptr noundef %0, i32 noundef %1, ptr noundef %2) {
  %4 = getelementptr inbounds i8, ptr %2, i64 8
  br label %5

5:
  %6 = phi i32 [ %1, %3 ], [ %77, %73 ]
  %7 = phi ptr [ %0, %3 ], [ %71, %73 ]
  %8 = icmp eq ptr %7, %2
  br i1 %8, label %152, label %9

9:
  %10 = getelementptr inbounds i8, ptr %7, i64 16
  %11 = zext nneg i32 %6 to i64
  %12 = getelementptr inbounds [2 x ptr], ptr %10, i64 0, i64 %11
  %13 = load ptr, ptr %12, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %19, label %15

15:
  %16 = load i32, ptr %13, align 8
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %18, label %19

18:
  store i32 1, ptr %13, align 8
  br label %157

19:
  %20 = icmp eq i32 %6, 0
  %21 = zext i1 %20 to i64
  %22 = getelementptr inbounds [2 x ptr], ptr %10, i64 0, i64 %21
  %23 = load ptr, ptr %22, align 8
  %24 = load i32, ptr %23, align 8
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %53

26:
  store i32 1, ptr %23, align 8
  store i32 0, ptr %7, align 8
  %27 = load ptr, ptr %22, align 8
  %28 = getelementptr inbounds i8, ptr %27, i64 16
  %29 = getelementptr inbounds [2 x ptr], ptr %28, i64 0, i64 %11
  %30 = load ptr, ptr %29, align 8
  store ptr %30, ptr %22, align 8
  %31 = load ptr, ptr %29, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %35, label %33

33:
  %34 = getelementptr inbounds i8, ptr %31, i64 8
  store ptr %7, ptr %34, align 8
  br label %35

35:
  %36 = getelementptr inbounds i8, ptr %7, i64 8
  %37 = load ptr, ptr %36, align 8
  %38 = icmp eq ptr %37, %2
  br i1 %38, label %46, label %39

39:
  %40 = getelementptr inbounds i8, ptr %37, i64 16
  %41 = getelementptr inbounds i8, ptr %37, i64 24
  %42 = load ptr, ptr %41, align 8
  %43 = icmp eq ptr %42, %7
  %44 = zext i1 %43 to i64
  %45 = getelementptr inbounds [2 x ptr], ptr %40, i64 0, i64 %44
  br label %46

46:
  %47 = phi ptr [ %45, %39 ], [ %4, %35 ]
  store ptr %27, ptr %47, align 8
  %48 = icmp eq ptr %27, null
  br i1 %48, label %51, label %49

49:
  %50 = getelementptr inbounds i8, ptr %27, i64 8
  store ptr %37, ptr %50, align 8
  br label %51

51:
  store ptr %7, ptr %29, align 8
  store ptr %27, ptr %36, align 8
  %52 = load ptr, ptr %22, align 8
  br label %53

53:
  %54 = phi ptr [ %23, %19 ], [ %52, %51 ]
  %55 = getelementptr inbounds i8, ptr %54, i64 16
  %56 = getelementptr inbounds [2 x ptr], ptr %55, i64 0, i64 %11
  %57 = load ptr, ptr %56, align 8
  %58 = getelementptr inbounds [2 x ptr], ptr %55, i64 0, i64 %21
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %57, null
  br i1 %60, label %64, label %61

61:
  %62 = load i32, ptr %57, align 8
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %81, label %64

64:
  %65 = icmp eq ptr %59, null
  br i1 %65, label %69, label %66

66:
  %67 = load i32, ptr %59, align 8
  %68 = icmp eq i32 %67, 0
  br i1 %68, label %81, label %69

69:
  store i32 0, ptr %54, align 8
  %70 = getelementptr inbounds i8, ptr %7, i64 8
  %71 = load ptr, ptr %70, align 8
  %72 = icmp eq ptr %71, %2
  br i1 %72, label %152, label %73

73:
  %74 = getelementptr inbounds i8, ptr %71, i64 24
  %75 = load ptr, ptr %74, align 8
  %76 = icmp eq ptr %7, %75
  %77 = zext i1 %76 to i32
  %78 = load i32, ptr %7, align 8
  %79 = icmp eq i32 %78, 0
  br i1 %79, label %80, label %5

80:
  store i32 1, ptr %7, align 8
  br label %157

81:
  %82 = icmp eq ptr %59, null
  br i1 %82, label %86, label %83

83:
  %84 = load i32, ptr %59, align 8
  %85 = icmp eq i32 %84, 0
  br i1 %85, label %121, label %86

86:
  store i32 1, ptr %57, align 8
  store i32 0, ptr %54, align 8
  %87 = xor i1 %20, true
  %88 = zext i1 %87 to i64
  %89 = getelementptr inbounds [2 x ptr], ptr %55, i64 0, i64 %88
  %90 = load ptr, ptr %89, align 8
  %91 = getelementptr inbounds i8, ptr %90, i64 16
  %92 = zext i1 %20 to i64
  %93 = getelementptr inbounds [2 x ptr], ptr %91, i64 0, i64 %92
  %94 = load ptr, ptr %93, align 8
  store ptr %94, ptr %89, align 8
  %95 = load ptr, ptr %93, align 8
  %96 = icmp eq ptr %95, null
  br i1 %96, label %99, label %97

97:
  %98 = getelementptr inbounds i8, ptr %95, i64 8
  store ptr %54, ptr %98, align 8
  br label %99

99:
  %100 = getelementptr inbounds i8, ptr %54, i64 8
  %101 = load ptr, ptr %100, align 8
  %102 = icmp eq ptr %101, %2
  br i1 %102, label %103, label %105

103:
  %104 = getelementptr inbounds i8, ptr %2, i64 8
  br label %112

105:
  %106 = getelementptr inbounds i8, ptr %101, i64 16
  %107 = getelementptr inbounds i8, ptr %101, i64 24
  %108 = load ptr, ptr %107, align 8
  %109 = icmp eq ptr %108, %54
  %110 = zext i1 %109 to i64
  %111 = getelementptr inbounds [2 x ptr], ptr %106, i64 0, i64 %110
  br label %112

112:
  %113 = phi ptr [ %111, %105 ], [ %104, %103 ]
  store ptr %90, ptr %113, align 8
  %114 = icmp eq ptr %90, null
  br i1 %114, label %117, label %115

115:
  %116 = getelementptr inbounds i8, ptr %90, i64 8
  store ptr %101, ptr %116, align 8
  br label %117

117:
  store ptr %54, ptr %93, align 8
  store ptr %90, ptr %100, align 8
  %118 = getelementptr inbounds i8, ptr %57, i64 16
  %119 = getelementptr inbounds [2 x ptr], ptr %118, i64 0, i64 %21
  %120 = load ptr, ptr %119, align 8
  br label %121

121:
  %122 = phi ptr [ %57, %117 ], [ %54, %83 ]
  %123 = phi ptr [ %120, %117 ], [ %59, %83 ]
  %124 = load i32, ptr %7, align 8
  store i32 %124, ptr %122, align 8
  store i32 1, ptr %7, align 8
  store i32 1, ptr %123, align 8
  %125 = load ptr, ptr %22, align 8
  %126 = getelementptr inbounds i8, ptr %125, i64 16
  %127 = getelementptr inbounds [2 x ptr], ptr %126, i64 0, i64 %11
  %128 = load ptr, ptr %127, align 8
  store ptr %128, ptr %22, align 8
  %129 = load ptr, ptr %127, align 8
  %130 = icmp eq ptr %129, null
  br i1 %130, label %133, label %131

131:
  %132 = getelementptr inbounds i8, ptr %129, i64 8
  store ptr %7, ptr %132, align 8
  br label %133

133:
  %134 = getelementptr inbounds i8, ptr %7, i64 8
  %135 = load ptr, ptr %134, align 8
  %136 = icmp eq ptr %135, %2
  br i1 %136, label %137, label %139

137:
  %138 = getelementptr inbounds i8, ptr %2, i64 8
  br label %146

139:
  %140 = getelementptr inbounds i8, ptr %135, i64 16
  %141 = getelementptr inbounds i8, ptr %135, i64 24
  %142 = load ptr, ptr %141, align 8
  %143 = icmp eq ptr %142, %7
  %144 = zext i1 %143 to i64
  %145 = getelementptr inbounds [2 x ptr], ptr %140, i64 0, i64 %144
  br label %146

146:
  %147 = phi ptr [ %145, %139 ], [ %138, %137 ]
  store ptr %125, ptr %147, align 8
  %148 = icmp eq ptr %125, null
  br i1 %148, label %151, label %149

149:
  %150 = getelementptr inbounds i8, ptr %125, i64 8
  store ptr %135, ptr %150, align 8
  br label %151

151:
  store ptr %7, ptr %127, align 8
  store ptr %125, ptr %134, align 8
  br label %157

152:
  %153 = getelementptr inbounds i8, ptr %2, i64 8
  %154 = load ptr, ptr %153, align 8
  %155 = icmp eq ptr %154, null
  br i1 %155, label %157, label %156

156:
  store i32 1, ptr %154, align 8
  br label %157

157:
  ret void
}

define weak void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr noundef %0, ptr noundef %1) {
  store ptr %1, ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %1, i64 8
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %4, ptr %5, align 8
  %6 = load ptr, ptr %3, align 8
  store ptr %0, ptr %6, align 8
  store ptr %0, ptr %3, align 8
  ret void
}

define weak void @_ZNSt8__detail15_List_node_base9_M_unhookEv(ptr noundef %0) {
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load ptr, ptr %3, align 8
  store ptr %2, ptr %4, align 8
  %5 = load ptr, ptr %3, align 8
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds i8, ptr %6, i64 8
  store ptr %5, ptr %7, align 8
  ret void
}

define weak void @_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ptr noundef %0, ptr noundef %1, ptr noundef %2) {
  %4 = icmp eq ptr %0, %2
  br i1 %4, label %14, label %5

5:
  %6 = getelementptr inbounds i8, ptr %2, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds i8, ptr %1, i64 8
  %9 = load ptr, ptr %8, align 8
  store ptr %2, ptr %9, align 8
  %10 = load ptr, ptr %8, align 8
  store ptr %10, ptr %6, align 8
  %11 = getelementptr inbounds i8, ptr %0, i64 8
  %12 = load ptr, ptr %11, align 8
  store ptr %1, ptr %12, align 8
  %13 = load ptr, ptr %11, align 8
  store ptr %13, ptr %8, align 8
  store ptr %0, ptr %7, align 8
  store ptr %7, ptr %11, align 8
  br label %14

14:
  ret void
}

define weak void @_ZNSt8__detail15_List_node_base10_M_reverseEv(ptr noundef %0) {
  br label %2

2:
  %3 = phi ptr [ %0, %1 ], [ %4, %2 ]
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds i8, ptr %3, i64 8
  %6 = load ptr, ptr %5, align 8
  store ptr %6, ptr %3, align 8
  store ptr %4, ptr %5, align 8
  %7 = icmp eq ptr %4, %0
  br i1 %7, label %8, label %2

8:
  ret void
}

define weak void @_ZNSt8__detail15_List_node_base4swapERS0_S1_(ptr noundef %0, ptr noundef %1) {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %1, align 8
  %7 = icmp eq ptr %6, %1
  %8 = select i1 %7, ptr %0, ptr %6
  store ptr %8, ptr %0, align 8
  %9 = getelementptr inbounds i8, ptr %1, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, %1
  %12 = select i1 %11, ptr %0, ptr %10
  store ptr %12, ptr %4, align 8
  store ptr %0, ptr %12, align 8
  %13 = load ptr, ptr %0, align 8
  %14 = getelementptr inbounds i8, ptr %13, i64 8
  store ptr %0, ptr %14, align 8
  %15 = icmp eq ptr %3, %0
  %16 = select i1 %15, ptr %1, ptr %3
  store ptr %16, ptr %1, align 8
  %17 = icmp eq ptr %5, %0
  %18 = select i1 %17, ptr %1, ptr %5
  store ptr %18, ptr %9, align 8
  store ptr %1, ptr %18, align 8
  %19 = load ptr, ptr %1, align 8
  %20 = getelementptr inbounds i8, ptr %19, i64 8
  store ptr %1, ptr %20, align 8
  ret void
}

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)

