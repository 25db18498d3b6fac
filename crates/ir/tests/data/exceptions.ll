target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%"class.std::error" = type { ptr, i32 }
@_ZTIi = external constant ptr
@filter = private constant [1 x ptr] [ptr @_ZTIi]
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]

declare i32 @__gxx_personality_v0(...)
declare noalias noundef ptr @_Z5riskyi(i32) allocsize(0)
declare void @use(ptr byval(%"class.std::error") align 8, ptr sret(%"class.std::error"))

define internal void @start() section ".init" {
  ret void
}

define linkonce_odr hidden i32 @_ZN4core3run17h0123456789abcdefE(i32 range(i32 0, 10) %x, ptr dereferenceable(16) %"a b") unnamed_addr comdat($group) personality ptr @__gxx_personality_v0 {
start:
  %spill = alloca [16 x i8], align 8
  %result = alloca %"class.std::error", align 8
  store ptr %"a b", ptr %spill, align 8
  %high = getelementptr inbounds i8, ptr %spill, i64 8
  store i64 3, ptr %high, align 8
  call void @use(ptr byval(%"class.std::error") align 8 %"a b", ptr sret(%"class.std::error") %result)
  %value = invoke ptr @_Z5riskyi(i32 %x)
          to label %good unwind label %bad

good:
  %low = load ptr, ptr %spill, align 8
  %distance = load i64, ptr %high, align 8
  %same = icmp eq ptr %low, %value
  br i1 %same, label %end, label %never

bad:
  %pad = landingpad { ptr, i32 }
          cleanup
          catch ptr @_ZTIi
          filter [1 x ptr] [ptr @_ZTIi]
  %selector = extractvalue { ptr, i32 } %pad, 1
  %again = insertvalue { ptr, i32 } %pad, i32 %selector, 1
  resume { ptr, i32 } %again

end:
  %wide = zext i32 %x to i64
  %sum = add i64 %wide, %distance
  %back = trunc i64 %sum to i32
  ret i32 %back

never:
  unreachable
}

$group = comdat any
