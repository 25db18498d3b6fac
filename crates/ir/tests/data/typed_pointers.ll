; LLVM 14: pointers have pointees, and casts between them are everywhere.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.header = type { i8, i16, [4 x i32], %union.u, %struct.header* }
%union.u = type { i64 }

@table = internal global [3 x i32] [i32 1, i32 2, i32 3], align 4
@.str = private unnamed_addr constant [3 x i8] c"b\0A\00", align 1
@names = dso_local global [2 x i8*] [i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str, i32 0, i32 0), i8* null], align 16
@callback = dso_local global i32 (i32, ...)* bitcast (i32 (%struct.header*)* @sum to i32 (i32, ...)*), align 8

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @sum(%struct.header* noundef %0) #0 {
  %2 = alloca %struct.header*, align 8
  %3 = alloca i32, align 4
  %4 = alloca %struct.header, align 8
  store %struct.header* %0, %struct.header** %2, align 8
  %5 = bitcast i32* %3 to i8*
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %5) #2
  store i32 0, i32* %3, align 4
  %6 = load %struct.header*, %struct.header** %2, align 8
  %7 = bitcast %struct.header* %4 to i8*
  %8 = bitcast %struct.header* %6 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %7, i8* align 8 %8, i64 40, i1 false)
  %9 = getelementptr inbounds %struct.header, %struct.header* %6, i32 0, i32 2
  %10 = getelementptr inbounds [4 x i32], [4 x i32]* %9, i64 0, i64 1
  %11 = load i32, i32* %10, align 4
  %12 = load i32 (i32, ...)*, i32 (i32, ...)** @callback, align 8
  %13 = call i32 (i32, ...) %12(i32 noundef %11, i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str, i64 0, i64 0))
  %14 = getelementptr inbounds %struct.header, %struct.header* %6, i32 0, i32 3
  %15 = bitcast %union.u* %14 to float*
  %16 = load float, float* %15, align 8
  %17 = fcmp ogt float %16, 0.000000e+00
  %18 = zext i1 %17 to i32
  %19 = load i32, i32* %3, align 4
  %20 = add nsw i32 %19, %18
  %21 = load %union.u, %union.u addrspace(0)* %14
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %5) #2
  ret i32 %20
}

declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #1
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #1
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #1

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "target-cpu"="x86-64" }
attributes #1 = { argmemonly nofree nosync nounwind willreturn }
attributes #2 = { nounwind }
