; Constant expressions that later versions of LLVM no longer have, as contents of variables.

;;; expressions of LLVM 19 and before
;;: last read by 19
;;: folded -- LLVM works out what it can
;;: not printed for 22 -- a later LLVM has no such expression, and the contents of a variable cannot be instructions
@a = global [10 x i32] zeroinitializer
@b = global i32 0
@z0 = global i64 mul (i64 ptrtoint (ptr @a to i64), i64 3)
@z1 = global i64 mul nuw nsw (i64 ptrtoint (ptr @a to i64), i64 3)


;;; expressions of LLVM 16 and before
;;: last read by 16
;;: folded -- LLVM works out what it can
;;: not printed for 19 22 -- a later LLVM has no such expression, and the contents of a variable cannot be instructions
@a = global [10 x i32] zeroinitializer
@b = global i32 0
@z0 = global i64 shl (i64 ptrtoint (ptr @a to i64), i64 3)
@z1 = global i32 zext (i1 icmp eq (ptr @a, ptr @b) to i32)
@z2 = global i64 and (i64 ptrtoint (ptr @a to i64), i64 3)
@z3 = global i64 or (i64 ptrtoint (ptr @a to i64), i64 3)
@z4 = global i64 lshr (i64 ptrtoint (ptr @a to i64), i64 3)
@z5 = global i64 ashr (i64 ptrtoint (ptr @a to i64), i64 3)
@z6 = global i128 zext (i64 ptrtoint (ptr @a to i64) to i128)
@z7 = global i128 sext (i64 ptrtoint (ptr @a to i64) to i128)
@z8 = global i32 select (i1 icmp ult (ptr @a, ptr @b), i32 1, i32 2)
@z9 = global double uitofp (i64 ptrtoint (ptr @a to i64) to double)
@z10 = global i32 fptosi (double sitofp (i64 ptrtoint (ptr @a to i64) to double) to i32)
@z11 = global i1 fcmp oeq (double sitofp (i64 ptrtoint (ptr @a to i64) to double), double 1.0)
@z12 = global float fptrunc (double sitofp (i64 ptrtoint (ptr @a to i64) to double) to float)
@z13 = global double fpext (float sitofp (i64 ptrtoint (ptr @a to i64) to float) to double)
@z14 = global i64 ashr exact (i64 ptrtoint (ptr @a to i64), i64 3)
@z15 = global i64 fptoui (double uitofp (i64 ptrtoint (ptr @a to i64) to double) to i64)


;;; expressions over vectors
;;: folded -- LLVM works out what it can
@a = global [10 x i32] zeroinitializer
@b = global i32 0
@z0 = global i64 extractelement (<2 x i64> <i64 ptrtoint (ptr @a to i64), i64 1>, i64 ptrtoint (ptr @a to i64))
@z1 = global <2 x i64> insertelement (<2 x i64> <i64 1, i64 2>, i64 1, i64 ptrtoint (ptr @a to i64))
@z2 = global <2 x i64> shufflevector (<2 x i64> <i64 ptrtoint (ptr @a to i64), i64 1>, <2 x i64> <i64 1, i64 ptrtoint (ptr @b to i64)>, <2 x i32> <i32 0, i32 3>)
@z3 = global i8* bitcast (i32* @a to i8*)
@z4 = global i8* getelementptr (i8, i8* bitcast (i32* @a to i8*), i64 1)


;;; expressions of LLVM 14 and before
;;: last read by 14
;;: folded -- LLVM works out what it can
;;: not printed for 16 19 22 -- a later LLVM has no such expression, and the contents of a variable cannot be instructions
@a = global i32 0
@z0 = global i64 udiv (i64 ptrtoint (i32* @a to i64), i64 3)
@z1 = global i64 sdiv exact (i64 ptrtoint (i32* @a to i64), i64 3)
@z2 = global i64 urem (i64 ptrtoint (i32* @a to i64), i64 3)
@z3 = global i64 srem (i64 ptrtoint (i32* @a to i64), i64 3)
@z4 = global double fadd (double uitofp (i64 ptrtoint (i32* @a to i64) to double), double 1.0)
@z5 = global double fneg (double uitofp (i64 ptrtoint (i32* @a to i64) to double))
@z6 = global i32 extractvalue ({ i32, i64 } { i32 1, i64 ptrtoint (i32* @a to i64) }, 0)
@z7 = global { i32, i64 } insertvalue ({ i32, i64 } { i32 1, i64 ptrtoint (i32* @a to i64) }, i32 3, 0)
@z8 = global double frem (double uitofp (i64 ptrtoint (i32* @a to i64) to double), double fmul (double fsub (double uitofp (i64 ptrtoint (i32* @a to i64) to double), double 2.0), double fdiv (double uitofp (i64 ptrtoint (i32* @a to i64) to double), double 3.0)))

