; Made of the C source beside it.

@_ZTISt11logic_error = external constant ptr, align 8
@_ZTVSt11logic_error = weak constant [5 x ptr] [ptr null, ptr @_ZTISt11logic_error, ptr @_ZNSt11logic_errorD1Ev, ptr @_ZNSt11logic_errorD0Ev, ptr @_ZNKSt11logic_error4whatEv], section "pathshift", align 16
@_ZTISt12domain_error = external constant ptr, align 8
@_ZTVSt12domain_error = weak constant [5 x ptr] [ptr null, ptr @_ZTISt12domain_error, ptr @_ZNSt12domain_errorD1Ev, ptr @_ZNSt12domain_errorD0Ev, ptr @_ZNKSt11logic_error4whatEv], section "pathshift", align 16
@_ZTISt16invalid_argument = external constant ptr, align 8
@_ZTVSt16invalid_argument = weak constant [5 x ptr] [ptr null, ptr @_ZTISt16invalid_argument, ptr @_ZNSt16invalid_argumentD1Ev, ptr @_ZNSt16invalid_argumentD0Ev, ptr @_ZNKSt11logic_error4whatEv], section "pathshift", align 16
@_ZTISt12length_error = external constant ptr, align 8
@_ZTVSt12length_error = weak constant [5 x ptr] [ptr null, ptr @_ZTISt12length_error, ptr @_ZNSt12length_errorD1Ev, ptr @_ZNSt12length_errorD0Ev, ptr @_ZNKSt11logic_error4whatEv], section "pathshift", align 16
@_ZTISt12out_of_range = external constant ptr, align 8
@_ZTVSt12out_of_range = weak constant [5 x ptr] [ptr null, ptr @_ZTISt12out_of_range, ptr @_ZNSt12out_of_rangeD1Ev, ptr @_ZNSt12out_of_rangeD0Ev, ptr @_ZNKSt11logic_error4whatEv], section "pathshift", align 16
@_ZTISt13runtime_error = external constant ptr, align 8
@_ZTVSt13runtime_error = weak constant [5 x ptr] [ptr null, ptr @_ZTISt13runtime_error, ptr @_ZNSt13runtime_errorD1Ev, ptr @_ZNSt13runtime_errorD0Ev, ptr @_ZNKSt13runtime_error4whatEv], section "pathshift", align 16
@_ZTISt11range_error = external constant ptr, align 8
@_ZTVSt11range_error = weak constant [5 x ptr] [ptr null, ptr @_ZTISt11range_error, ptr @_ZNSt11range_errorD1Ev, ptr @_ZNSt11range_errorD0Ev, ptr @_ZNKSt13runtime_error4whatEv], section "pathshift", align 16
@_ZTISt14overflow_error = external constant ptr, align 8
@_ZTVSt14overflow_error = weak constant [5 x ptr] [ptr null, ptr @_ZTISt14overflow_error, ptr @_ZNSt14overflow_errorD1Ev, ptr @_ZNSt14overflow_errorD0Ev, ptr @_ZNKSt13runtime_error4whatEv], section "pathshift", align 16
@_ZTISt15underflow_error = external constant ptr, align 8
@_ZTVSt15underflow_error = weak constant [5 x ptr] [ptr null, ptr @_ZTISt15underflow_error, ptr @_ZNSt15underflow_errorD1Ev, ptr @_ZNSt15underflow_errorD0Ev, ptr @_ZNKSt13runtime_error4whatEv], section "pathshift", align 16

define weak ptr @_ZNKSt11logic_error4whatEv(ptr noundef %0) {
  %2 = getelementptr inbounds i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  ret ptr %3
}

define weak ptr @_ZNKSt13runtime_error4whatEv(ptr noundef %0) {
  %2 = getelementptr inbounds i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  ret ptr %3
}

define weak void @_ZNSt11logic_errorD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt11logic_errorD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt11logic_errorD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

declare void @_ZdlPv(ptr noundef)

define weak void @_ZNSt11logic_errorC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11logic_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

declare i64 @strlen(ptr nocapture noundef)

define weak void @_ZNSt11logic_errorC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11logic_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt11logic_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11logic_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt11logic_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11logic_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt12domain_errorD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt12domain_errorD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt12domain_errorD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

define weak void @_ZNSt12domain_errorC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12domain_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt12domain_errorC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12domain_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt12domain_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12domain_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt12domain_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12domain_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt16invalid_argumentD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt16invalid_argumentD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt16invalid_argumentD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

define weak void @_ZNSt16invalid_argumentC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt16invalid_argument, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt16invalid_argumentC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt16invalid_argument, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt16invalid_argumentC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt16invalid_argument, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt16invalid_argumentC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt16invalid_argument, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt12length_errorD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt12length_errorD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt12length_errorD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

define weak void @_ZNSt12length_errorC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12length_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt12length_errorC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12length_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt12length_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12length_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt12length_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12length_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt12out_of_rangeD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt12out_of_rangeD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt12out_of_rangeD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

define weak void @_ZNSt12out_of_rangeC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12out_of_range, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt12out_of_rangeC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12out_of_range, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt12out_of_rangeC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12out_of_range, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt12out_of_rangeC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt12out_of_range, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt13runtime_errorD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt13runtime_errorD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt13runtime_errorD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

define weak void @_ZNSt13runtime_errorC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt13runtime_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt13runtime_errorC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt13runtime_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt13runtime_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt13runtime_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt13runtime_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt11range_errorD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt11range_errorD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt11range_errorD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

define weak void @_ZNSt11range_errorC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11range_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt11range_errorC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11range_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt11range_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11range_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt11range_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11range_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt14overflow_errorD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt14overflow_errorD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt14overflow_errorD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

define weak void @_ZNSt14overflow_errorC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt14overflow_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt14overflow_errorC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt14overflow_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt14overflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt14overflow_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt14overflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt14overflow_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt15underflow_errorD1Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt15underflow_errorD2Ev(ptr noundef %0) {
  ret void
}

define weak void @_ZNSt15underflow_errorD0Ev(ptr noundef %0) {
  tail call void @_ZdlPv(ptr noundef %0)
  ret void
}

define weak void @_ZNSt15underflow_errorC1EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt15underflow_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt15underflow_errorC2EPKc(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt15underflow_error, i64 16), ptr %0, align 8
  %3 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %1)
  %4 = add i64 %3, 1
  %5 = tail call noalias ptr @malloc(i64 noundef %4)
  %6 = tail call ptr @memcpy(ptr noundef %5, ptr noundef %1, i64 noundef %3)
  %7 = getelementptr inbounds i8, ptr %5, i64 %3
  store i8 0, ptr %7, align 1
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %5, ptr %8, align 8
  ret void
}

define weak void @_ZNSt15underflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt15underflow_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt15underflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt15underflow_error, i64 16), ptr %0, align 8
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %3, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt11logic_errorC1ERKS_(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11logic_error, i64 16), ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %1, i64 8
  %4 = load ptr, ptr %3, align 8
  %5 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %4)
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %4, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt11logic_errorC2ERKS_(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt11logic_error, i64 16), ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %1, i64 8
  %4 = load ptr, ptr %3, align 8
  %5 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %4)
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %4, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt13runtime_errorC1ERKS_(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt13runtime_error, i64 16), ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %1, i64 8
  %4 = load ptr, ptr %3, align 8
  %5 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %4)
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %4, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

define weak void @_ZNSt13runtime_errorC2ERKS_(ptr noundef %0, ptr noundef %1) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVSt13runtime_error, i64 16), ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %1, i64 8
  %4 = load ptr, ptr %3, align 8
  %5 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %4)
  %6 = add i64 %5, 1
  %7 = tail call noalias ptr @malloc(i64 noundef %6)
  %8 = tail call ptr @memcpy(ptr noundef %7, ptr noundef %4, i64 noundef %5)
  %9 = getelementptr inbounds i8, ptr %7, i64 %5
  store i8 0, ptr %9, align 1
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %7, ptr %10, align 8
  ret void
}

declare noalias noundef ptr @malloc(i64 noundef)

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef)

