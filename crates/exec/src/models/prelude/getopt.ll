; Made of the C source beside it.

%struct.option = type { ptr, i32, ptr, i32 }

@optind = weak global i32 1, section "pathshift", align 4
@opterr = weak global i32 1, section "pathshift", align 4
@optopt = weak global i32 63, section "pathshift", align 4
@optarg = weak global ptr null, section "pathshift", align 8
@begun = internal global i32 0, section "pathshift", align 4
@last_skipped = internal global i32 0, section "pathshift", align 4
@first_skipped = internal global i32 0, section "pathshift", align 4
@next_letter = internal global ptr null, section "pathshift", align 8
@.str = private unnamed_addr constant [3 x i8] c"--\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"-\00", align 1
@stderr = external global ptr, align 8
@.str.2 = private unnamed_addr constant [28 x i8] c"%s: invalid option -- '%c'\0A\00", align 1
@.str.3 = private unnamed_addr constant [41 x i8] c"%s: option requires an argument -- '%c'\0A\00", align 1
@.str.4 = private unnamed_addr constant [2 x i8] c"=\00", align 1
@.str.5 = private unnamed_addr constant [32 x i8] c"%s: option '%s%s' is ambiguous\0A\00", align 1
@.str.6 = private unnamed_addr constant [32 x i8] c"%s: unrecognized option '%s%s'\0A\00", align 1
@.str.7 = private unnamed_addr constant [45 x i8] c"%s: option '%s%s' doesn't allow an argument\0A\00", align 1
@.str.8 = private unnamed_addr constant [40 x i8] c"%s: option '%s%s' requires an argument\0A\00", align 1

define weak i32 @getopt(i32 %0, ptr %1, ptr %2) {
  %4 = call i32 @next_option(i32 %0, ptr %1, ptr %2, ptr null, ptr null, i32 0)
  ret i32 %4
}

define internal i32 @next_option(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, i32 %5) {
  %7 = icmp slt i32 %0, 1
  br i1 %7, label %8, label %9

8:
  br label %305

9:
  store ptr null, ptr @optarg, align 8
  %10 = load i32, ptr @optind, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %15, label %12

12:
  %13 = load i32, ptr @begun, align 4
  %14 = icmp ne i32 %13, 0
  br i1 %14, label %21, label %15

15:
  %16 = load i32, ptr @optind, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %18, label %19

18:
  store i32 1, ptr @optind, align 4
  br label %19

19:
  store i32 1, ptr @begun, align 4
  %20 = load i32, ptr @optind, align 4
  store i32 %20, ptr @last_skipped, align 4
  store i32 %20, ptr @first_skipped, align 4
  store ptr null, ptr @next_letter, align 8
  br label %21

21:
  %22 = load i8, ptr %2, align 1
  %23 = sext i8 %22 to i32
  %24 = icmp eq i32 %23, 43
  br i1 %24, label %27, label %25

25:
  %26 = icmp eq i32 %23, 45
  br i1 %26, label %27, label %29

27:
  %28 = getelementptr inbounds i8, ptr %2, i32 1
  br label %29

29:
  %.064 = phi ptr [ %28, %27 ], [ %2, %25 ]
  %30 = load i32, ptr @opterr, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %36

32:
  %33 = load i8, ptr %.064, align 1
  %34 = sext i8 %33 to i32
  %35 = icmp eq i32 %34, 58
  br label %36

36:
  %37 = phi i1 [ true, %29 ], [ %35, %32 ]
  %38 = zext i1 %37 to i32
  %39 = load i8, ptr %.064, align 1
  %40 = sext i8 %39 to i32
  %41 = icmp eq i32 %40, 58
  %42 = zext i1 %41 to i64
  %43 = select i1 %41, i32 58, i32 63
  %44 = load ptr, ptr @next_letter, align 8
  %45 = icmp ne ptr %44, null
  br i1 %45, label %46, label %50

46:
  %47 = load ptr, ptr @next_letter, align 8
  %48 = load i8, ptr %47, align 1
  %49 = icmp ne i8 %48, 0
  br i1 %49, label %231, label %50

50:
  %51 = load i32, ptr @last_skipped, align 4
  %52 = load i32, ptr @optind, align 4
  %53 = icmp sgt i32 %51, %52
  br i1 %53, label %54, label %56

54:
  %55 = load i32, ptr @optind, align 4
  store i32 %55, ptr @last_skipped, align 4
  br label %56

56:
  %57 = load i32, ptr @first_skipped, align 4
  %58 = load i32, ptr @optind, align 4
  %59 = icmp sgt i32 %57, %58
  br i1 %59, label %60, label %62

60:
  %61 = load i32, ptr @optind, align 4
  store i32 %61, ptr @first_skipped, align 4
  br label %62

62:
  %63 = icmp ne i32 %23, 43
  br i1 %63, label %64, label %113

64:
  %65 = icmp ne i32 %23, 45
  br i1 %65, label %66, label %113

66:
  %67 = load i32, ptr @first_skipped, align 4
  %68 = load i32, ptr @last_skipped, align 4
  %69 = icmp ne i32 %67, %68
  br i1 %69, label %70, label %75

70:
  %71 = load i32, ptr @last_skipped, align 4
  %72 = load i32, ptr @optind, align 4
  %73 = icmp ne i32 %71, %72
  br i1 %73, label %74, label %75

74:
  call void @exchange(ptr %1)
  br label %82

75:
  %76 = load i32, ptr @last_skipped, align 4
  %77 = load i32, ptr @optind, align 4
  %78 = icmp ne i32 %76, %77
  br i1 %78, label %79, label %81

79:
  %80 = load i32, ptr @optind, align 4
  store i32 %80, ptr @first_skipped, align 4
  br label %81

81:
  br label %82

82:
  br label %83

83:
  %84 = load i32, ptr @optind, align 4
  %85 = icmp slt i32 %84, %0
  br i1 %85, label %86, label %106

86:
  %87 = load i32, ptr @optind, align 4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds ptr, ptr %1, i64 %88
  %90 = load ptr, ptr %89, align 8
  %91 = getelementptr inbounds i8, ptr %90, i64 0
  %92 = load i8, ptr %91, align 1
  %93 = sext i8 %92 to i32
  %94 = icmp ne i32 %93, 45
  br i1 %94, label %104, label %95

95:
  %96 = load i32, ptr @optind, align 4
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds ptr, ptr %1, i64 %97
  %99 = load ptr, ptr %98, align 8
  %100 = getelementptr inbounds i8, ptr %99, i64 1
  %101 = load i8, ptr %100, align 1
  %102 = icmp ne i8 %101, 0
  %103 = xor i1 %102, true
  br label %104

104:
  %105 = phi i1 [ true, %86 ], [ %103, %95 ]
  br label %106

106:
  %107 = phi i1 [ false, %83 ], [ %105, %104 ]
  br i1 %107, label %108, label %111

108:
  %109 = load i32, ptr @optind, align 4
  %110 = add nsw i32 %109, 1
  store i32 %110, ptr @optind, align 4
  br label %83

111:
  %112 = load i32, ptr @optind, align 4
  store i32 %112, ptr @last_skipped, align 4
  br label %113

113:
  %114 = load i32, ptr @optind, align 4
  %115 = icmp ne i32 %114, %0
  br i1 %115, label %116, label %142

116:
  %117 = load i32, ptr @optind, align 4
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds ptr, ptr %1, i64 %118
  %120 = load ptr, ptr %119, align 8
  %121 = call i32 @strcmp(ptr %120, ptr @.str)
  %122 = icmp ne i32 %121, 0
  br i1 %122, label %142, label %123

123:
  %124 = load i32, ptr @optind, align 4
  %125 = add nsw i32 %124, 1
  store i32 %125, ptr @optind, align 4
  %126 = load i32, ptr @first_skipped, align 4
  %127 = load i32, ptr @last_skipped, align 4
  %128 = icmp ne i32 %126, %127
  br i1 %128, label %129, label %134

129:
  %130 = load i32, ptr @last_skipped, align 4
  %131 = load i32, ptr @optind, align 4
  %132 = icmp ne i32 %130, %131
  br i1 %132, label %133, label %134

133:
  call void @exchange(ptr %1)
  br label %141

134:
  %135 = load i32, ptr @first_skipped, align 4
  %136 = load i32, ptr @last_skipped, align 4
  %137 = icmp eq i32 %135, %136
  br i1 %137, label %138, label %140

138:
  %139 = load i32, ptr @optind, align 4
  store i32 %139, ptr @first_skipped, align 4
  br label %140

140:
  br label %141

141:
  store i32 %0, ptr @last_skipped, align 4
  store i32 %0, ptr @optind, align 4
  br label %142

142:
  %143 = load i32, ptr @optind, align 4
  %144 = icmp eq i32 %143, %0
  br i1 %144, label %145, label %152

145:
  %146 = load i32, ptr @first_skipped, align 4
  %147 = load i32, ptr @last_skipped, align 4
  %148 = icmp ne i32 %146, %147
  br i1 %148, label %149, label %151

149:
  %150 = load i32, ptr @first_skipped, align 4
  store i32 %150, ptr @optind, align 4
  br label %151

151:
  br label %304

152:
  %153 = load i32, ptr @optind, align 4
  %154 = sext i32 %153 to i64
  %155 = getelementptr inbounds ptr, ptr %1, i64 %154
  %156 = load ptr, ptr %155, align 8
  %157 = getelementptr inbounds i8, ptr %156, i64 0
  %158 = load i8, ptr %157, align 1
  %159 = sext i8 %158 to i32
  %160 = icmp ne i32 %159, 45
  br i1 %160, label %169, label %161

161:
  %162 = load i32, ptr @optind, align 4
  %163 = sext i32 %162 to i64
  %164 = getelementptr inbounds ptr, ptr %1, i64 %163
  %165 = load ptr, ptr %164, align 8
  %166 = getelementptr inbounds i8, ptr %165, i64 1
  %167 = load i8, ptr %166, align 1
  %168 = icmp ne i8 %167, 0
  br i1 %168, label %178, label %169

169:
  %170 = icmp eq i32 %23, 43
  br i1 %170, label %171, label %172

171:
  br label %304

172:
  %173 = load i32, ptr @optind, align 4
  %174 = add nsw i32 %173, 1
  store i32 %174, ptr @optind, align 4
  %175 = sext i32 %173 to i64
  %176 = getelementptr inbounds ptr, ptr %1, i64 %175
  %177 = load ptr, ptr %176, align 8
  store ptr %177, ptr @optarg, align 8
  br label %304

178:
  %179 = icmp ne ptr %3, null
  br i1 %179, label %180, label %225

180:
  %181 = load i32, ptr @optind, align 4
  %182 = sext i32 %181 to i64
  %183 = getelementptr inbounds ptr, ptr %1, i64 %182
  %184 = load ptr, ptr %183, align 8
  %185 = getelementptr inbounds i8, ptr %184, i64 1
  %186 = load i8, ptr %185, align 1
  %187 = sext i8 %186 to i32
  %188 = icmp eq i32 %187, 45
  br i1 %188, label %189, label %196

189:
  %190 = load i32, ptr @optind, align 4
  %191 = sext i32 %190 to i64
  %192 = getelementptr inbounds ptr, ptr %1, i64 %191
  %193 = load ptr, ptr %192, align 8
  %194 = getelementptr inbounds i8, ptr %193, i64 2
  store ptr %194, ptr @next_letter, align 8
  %195 = call i32 @long_option(i32 %0, ptr %1, ptr %3, ptr %4, i32 %38, i32 %43, ptr @.str)
  br label %304

196:
  %197 = icmp ne i32 %5, 0
  br i1 %197, label %198, label %224

198:
  %199 = load i32, ptr @optind, align 4
  %200 = sext i32 %199 to i64
  %201 = getelementptr inbounds ptr, ptr %1, i64 %200
  %202 = load ptr, ptr %201, align 8
  %203 = getelementptr inbounds i8, ptr %202, i64 2
  %204 = load i8, ptr %203, align 1
  %205 = sext i8 %204 to i32
  %206 = icmp ne i32 %205, 0
  br i1 %206, label %217, label %207

207:
  %208 = load i32, ptr @optind, align 4
  %209 = sext i32 %208 to i64
  %210 = getelementptr inbounds ptr, ptr %1, i64 %209
  %211 = load ptr, ptr %210, align 8
  %212 = getelementptr inbounds i8, ptr %211, i64 1
  %213 = load i8, ptr %212, align 1
  %214 = sext i8 %213 to i32
  %215 = call ptr @strchr(ptr %.064, i32 %214)
  %216 = icmp ne ptr %215, null
  br i1 %216, label %224, label %217

217:
  %218 = load i32, ptr @optind, align 4
  %219 = sext i32 %218 to i64
  %220 = getelementptr inbounds ptr, ptr %1, i64 %219
  %221 = load ptr, ptr %220, align 8
  %222 = getelementptr inbounds i8, ptr %221, i64 1
  store ptr %222, ptr @next_letter, align 8
  %223 = call i32 @long_option(i32 %0, ptr %1, ptr %3, ptr %4, i32 %38, i32 %43, ptr @.str.1)
  br label %304

224:
  br label %225

225:
  %226 = load i32, ptr @optind, align 4
  %227 = sext i32 %226 to i64
  %228 = getelementptr inbounds ptr, ptr %1, i64 %227
  %229 = load ptr, ptr %228, align 8
  %230 = getelementptr inbounds i8, ptr %229, i64 1
  store ptr %230, ptr @next_letter, align 8
  br label %231

231:
  %232 = load ptr, ptr @next_letter, align 8
  %233 = getelementptr inbounds i8, ptr %232, i32 1
  store ptr %233, ptr @next_letter, align 8
  %234 = load i8, ptr %232, align 1
  %235 = sext i8 %234 to i32
  %236 = call ptr @strchr(ptr %.064, i32 %235)
  %237 = load ptr, ptr @next_letter, align 8
  %238 = load i8, ptr %237, align 1
  %239 = icmp ne i8 %238, 0
  br i1 %239, label %243, label %240

240:
  %241 = load i32, ptr @optind, align 4
  %242 = add nsw i32 %241, 1
  store i32 %242, ptr @optind, align 4
  br label %243

243:
  %244 = icmp ne ptr %236, null
  br i1 %244, label %245, label %251

245:
  %246 = sext i8 %234 to i32
  %247 = icmp eq i32 %246, 58
  br i1 %247, label %251, label %248

248:
  %249 = sext i8 %234 to i32
  %250 = icmp eq i32 %249, 59
  br i1 %250, label %251, label %261

251:
  %252 = icmp ne i32 %38, 0
  br i1 %252, label %259, label %253

253:
  %254 = load ptr, ptr @stderr, align 8
  %255 = getelementptr inbounds ptr, ptr %1, i64 0
  %256 = load ptr, ptr %255, align 8
  %257 = sext i8 %234 to i32
  %258 = call i32 (ptr, ptr, ...) @fprintf(ptr %254, ptr @.str.2, ptr %256, i32 %257)
  br label %259

259:
  %260 = sext i8 %234 to i32
  store i32 %260, ptr @optopt, align 4
  br label %303

261:
  %262 = getelementptr inbounds i8, ptr %236, i64 1
  %263 = load i8, ptr %262, align 1
  %264 = sext i8 %263 to i32
  %265 = icmp ne i32 %264, 58
  br i1 %265, label %266, label %268

266:
  %267 = sext i8 %234 to i32
  br label %303

268:
  %269 = load ptr, ptr @next_letter, align 8
  %270 = load i8, ptr %269, align 1
  %271 = icmp ne i8 %270, 0
  br i1 %271, label %272, label %276

272:
  %273 = load ptr, ptr @next_letter, align 8
  store ptr %273, ptr @optarg, align 8
  %274 = load i32, ptr @optind, align 4
  %275 = add nsw i32 %274, 1
  store i32 %275, ptr @optind, align 4
  br label %301

276:
  %277 = getelementptr inbounds i8, ptr %236, i64 2
  %278 = load i8, ptr %277, align 1
  %279 = sext i8 %278 to i32
  %280 = icmp ne i32 %279, 58
  br i1 %280, label %281, label %300

281:
  %282 = load i32, ptr @optind, align 4
  %283 = icmp eq i32 %282, %0
  br i1 %283, label %284, label %294

284:
  %285 = icmp ne i32 %38, 0
  br i1 %285, label %292, label %286

286:
  %287 = load ptr, ptr @stderr, align 8
  %288 = getelementptr inbounds ptr, ptr %1, i64 0
  %289 = load ptr, ptr %288, align 8
  %290 = sext i8 %234 to i32
  %291 = call i32 (ptr, ptr, ...) @fprintf(ptr %287, ptr @.str.3, ptr %289, i32 %290)
  br label %292

292:
  %293 = sext i8 %234 to i32
  store i32 %293, ptr @optopt, align 4
  store ptr null, ptr @next_letter, align 8
  br label %303

294:
  %295 = load i32, ptr @optind, align 4
  %296 = add nsw i32 %295, 1
  store i32 %296, ptr @optind, align 4
  %297 = sext i32 %295 to i64
  %298 = getelementptr inbounds ptr, ptr %1, i64 %297
  %299 = load ptr, ptr %298, align 8
  store ptr %299, ptr @optarg, align 8
  br label %300

300:
  br label %301

301:
  store ptr null, ptr @next_letter, align 8
  %302 = sext i8 %234 to i32
  br label %303

303:
  %.0 = phi i32 [ 63, %259 ], [ %267, %266 ], [ %302, %301 ], [ %43, %292 ]
  br label %304

304:
  %.1 = phi i32 [ %.0, %303 ], [ -1, %151 ], [ -1, %171 ], [ 1, %172 ], [ %195, %189 ], [ %223, %217 ]
  br label %305

305:
  %.2 = phi i32 [ -1, %8 ], [ %.1, %304 ]
  ret i32 %.2
}

define weak i32 @getopt_long(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4) {
  %6 = call i32 @next_option(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, i32 0)
  ret i32 %6
}

define weak i32 @getopt_long_only(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4) {
  %6 = call i32 @next_option(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, i32 1)
  ret i32 %6
}

define internal void @exchange(ptr %0) {
  %2 = load i32, ptr @last_skipped, align 4
  %3 = load i32, ptr @first_skipped, align 4
  %4 = sub nsw i32 %2, %3
  %5 = load i32, ptr @optind, align 4
  %6 = load i32, ptr @last_skipped, align 4
  %7 = sub nsw i32 %5, %6
  br label %8

8:
  %.017 = phi i32 [ 0, %1 ], [ %39, %38 ]
  %9 = icmp slt i32 %.017, %7
  br i1 %9, label %11, label %10

10:
  br label %40

11:
  %12 = load i32, ptr @last_skipped, align 4
  %13 = add nsw i32 %12, %.017
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds ptr, ptr %0, i64 %14
  %16 = load ptr, ptr %15, align 8
  %17 = load i32, ptr @last_skipped, align 4
  %18 = add nsw i32 %17, %.017
  br label %19

19:
  %.0 = phi i32 [ %18, %11 ], [ %32, %31 ]
  %20 = load i32, ptr @first_skipped, align 4
  %21 = add nsw i32 %20, %.017
  %22 = icmp sgt i32 %.0, %21
  br i1 %22, label %24, label %23

23:
  br label %33

24:
  %25 = sub nsw i32 %.0, 1
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds ptr, ptr %0, i64 %26
  %28 = load ptr, ptr %27, align 8
  %29 = sext i32 %.0 to i64
  %30 = getelementptr inbounds ptr, ptr %0, i64 %29
  store ptr %28, ptr %30, align 8
  br label %31

31:
  %32 = add nsw i32 %.0, -1
  br label %19

33:
  %34 = load i32, ptr @first_skipped, align 4
  %35 = add nsw i32 %34, %.017
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds ptr, ptr %0, i64 %36
  store ptr %16, ptr %37, align 8
  br label %38

38:
  %39 = add nsw i32 %.017, 1
  br label %8

40:
  %41 = load i32, ptr @first_skipped, align 4
  %42 = add nsw i32 %41, %7
  store i32 %42, ptr @first_skipped, align 4
  %43 = load i32, ptr @first_skipped, align 4
  %44 = add nsw i32 %43, %4
  store i32 %44, ptr @last_skipped, align 4
  ret void
}

declare i32 @strcmp(ptr noundef, ptr noundef)

define internal i32 @long_option(i32 %0, ptr %1, ptr %2, ptr %3, i32 %4, i32 %5, ptr %6) {
  %8 = load ptr, ptr @next_letter, align 8
  %9 = call i64 @strcspn(ptr %8, ptr @.str.4)
  br label %10

10:
  %.062 = phi ptr [ null, %7 ], [ %.264, %68 ]
  %.058 = phi i32 [ 0, %7 ], [ %.260, %68 ]
  %.057 = phi i32 [ 0, %7 ], [ %.3, %68 ]
  %.056 = phi i32 [ 0, %7 ], [ %69, %68 ]
  %11 = sext i32 %.056 to i64
  %12 = getelementptr inbounds %struct.option, ptr %2, i64 %11
  %13 = getelementptr inbounds %struct.option, ptr %12, i32 0, i32 0
  %14 = load ptr, ptr %13, align 8
  %15 = icmp ne ptr %14, null
  br i1 %15, label %17, label %16

16:
  br label %70

17:
  %18 = sext i32 %.056 to i64
  %19 = getelementptr inbounds %struct.option, ptr %2, i64 %18
  %20 = getelementptr inbounds %struct.option, ptr %19, i32 0, i32 0
  %21 = load ptr, ptr %20, align 8
  %22 = load ptr, ptr @next_letter, align 8
  %23 = call i32 @strncmp(ptr %21, ptr %22, i64 %9)
  %24 = icmp ne i32 %23, 0
  br i1 %24, label %25, label %26

25:
  br label %68

26:
  %27 = sext i32 %.056 to i64
  %28 = getelementptr inbounds %struct.option, ptr %2, i64 %27
  %29 = getelementptr inbounds %struct.option, ptr %28, i32 0, i32 0
  %30 = load ptr, ptr %29, align 8
  %31 = call i64 @strlen(ptr %30)
  %32 = icmp eq i64 %31, %9
  br i1 %32, label %33, label %36

33:
  %34 = sext i32 %.056 to i64
  %35 = getelementptr inbounds %struct.option, ptr %2, i64 %34
  br label %70

36:
  %37 = icmp ne ptr %.062, null
  br i1 %37, label %41, label %38

38:
  %39 = sext i32 %.056 to i64
  %40 = getelementptr inbounds %struct.option, ptr %2, i64 %39
  br label %67

41:
  %42 = getelementptr inbounds %struct.option, ptr %.062, i32 0, i32 1
  %43 = load i32, ptr %42, align 8
  %44 = sext i32 %.056 to i64
  %45 = getelementptr inbounds %struct.option, ptr %2, i64 %44
  %46 = getelementptr inbounds %struct.option, ptr %45, i32 0, i32 1
  %47 = load i32, ptr %46, align 8
  %48 = icmp ne i32 %43, %47
  br i1 %48, label %65, label %49

49:
  %50 = getelementptr inbounds %struct.option, ptr %.062, i32 0, i32 2
  %51 = load ptr, ptr %50, align 8
  %52 = sext i32 %.056 to i64
  %53 = getelementptr inbounds %struct.option, ptr %2, i64 %52
  %54 = getelementptr inbounds %struct.option, ptr %53, i32 0, i32 2
  %55 = load ptr, ptr %54, align 8
  %56 = icmp ne ptr %51, %55
  br i1 %56, label %65, label %57

57:
  %58 = getelementptr inbounds %struct.option, ptr %.062, i32 0, i32 3
  %59 = load i32, ptr %58, align 8
  %60 = sext i32 %.056 to i64
  %61 = getelementptr inbounds %struct.option, ptr %2, i64 %60
  %62 = getelementptr inbounds %struct.option, ptr %61, i32 0, i32 3
  %63 = load i32, ptr %62, align 8
  %64 = icmp ne i32 %59, %63
  br i1 %64, label %65, label %66

65:
  br label %66

66:
  %.1 = phi i32 [ 1, %65 ], [ %.057, %57 ]
  br label %67

67:
  %.163 = phi ptr [ %.062, %66 ], [ %40, %38 ]
  %.159 = phi i32 [ %.058, %66 ], [ %.056, %38 ]
  %.2 = phi i32 [ %.1, %66 ], [ %.057, %38 ]
  br label %68

68:
  %.264 = phi ptr [ %.062, %25 ], [ %.163, %67 ]
  %.260 = phi i32 [ %.058, %25 ], [ %.159, %67 ]
  %.3 = phi i32 [ %.057, %25 ], [ %.2, %67 ]
  %69 = add nsw i32 %.056, 1
  br label %10

70:
  %.365 = phi ptr [ %35, %33 ], [ %.062, %16 ]
  %.361 = phi i32 [ %.056, %33 ], [ %.058, %16 ]
  %.4 = phi i32 [ 0, %33 ], [ %.057, %16 ]
  br label %71

71:
  %72 = load ptr, ptr @next_letter, align 8
  %73 = getelementptr inbounds i8, ptr %72, i64 %9
  %74 = icmp ne i32 %.4, 0
  br i1 %74, label %77, label %75

75:
  %76 = icmp ne ptr %.365, null
  br i1 %76, label %91, label %77

77:
  %78 = icmp ne i32 %4, 0
  br i1 %78, label %88, label %79

79:
  %80 = load ptr, ptr @stderr, align 8
  %81 = icmp ne i32 %.4, 0
  %82 = zext i1 %81 to i64
  %83 = select i1 %81, ptr @.str.5, ptr @.str.6
  %84 = getelementptr inbounds ptr, ptr %1, i64 0
  %85 = load ptr, ptr %84, align 8
  %86 = load ptr, ptr @next_letter, align 8
  %87 = call i32 (ptr, ptr, ...) @fprintf(ptr %80, ptr %83, ptr %85, ptr %6, ptr %86)
  br label %88

88:
  store ptr null, ptr @next_letter, align 8
  %89 = load i32, ptr @optind, align 4
  %90 = add nsw i32 %89, 1
  store i32 %90, ptr @optind, align 4
  store i32 0, ptr @optopt, align 4
  br label %155

91:
  store ptr null, ptr @next_letter, align 8
  %92 = load i32, ptr @optind, align 4
  %93 = add nsw i32 %92, 1
  store i32 %93, ptr @optind, align 4
  %94 = load i8, ptr %73, align 1
  %95 = icmp ne i8 %94, 0
  br i1 %95, label %96, label %114

96:
  %97 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 1
  %98 = load i32, ptr %97, align 8
  %99 = icmp ne i32 %98, 0
  br i1 %99, label %112, label %100

100:
  %101 = icmp ne i32 %4, 0
  br i1 %101, label %109, label %102

102:
  %103 = load ptr, ptr @stderr, align 8
  %104 = getelementptr inbounds ptr, ptr %1, i64 0
  %105 = load ptr, ptr %104, align 8
  %106 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 0
  %107 = load ptr, ptr %106, align 8
  %108 = call i32 (ptr, ptr, ...) @fprintf(ptr %103, ptr @.str.7, ptr %105, ptr %6, ptr %107)
  br label %109

109:
  %110 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 3
  %111 = load i32, ptr %110, align 8
  store i32 %111, ptr @optopt, align 4
  br label %155

112:
  %113 = getelementptr inbounds i8, ptr %73, i64 1
  store ptr %113, ptr @optarg, align 8
  br label %140

114:
  %115 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 1
  %116 = load i32, ptr %115, align 8
  %117 = icmp eq i32 %116, 1
  br i1 %117, label %118, label %139

118:
  %119 = load i32, ptr @optind, align 4
  %120 = icmp sge i32 %119, %0
  br i1 %120, label %121, label %133

121:
  %122 = icmp ne i32 %4, 0
  br i1 %122, label %130, label %123

123:
  %124 = load ptr, ptr @stderr, align 8
  %125 = getelementptr inbounds ptr, ptr %1, i64 0
  %126 = load ptr, ptr %125, align 8
  %127 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 0
  %128 = load ptr, ptr %127, align 8
  %129 = call i32 (ptr, ptr, ...) @fprintf(ptr %124, ptr @.str.8, ptr %126, ptr %6, ptr %128)
  br label %130

130:
  %131 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 3
  %132 = load i32, ptr %131, align 8
  store i32 %132, ptr @optopt, align 4
  br label %155

133:
  %134 = load i32, ptr @optind, align 4
  %135 = add nsw i32 %134, 1
  store i32 %135, ptr @optind, align 4
  %136 = sext i32 %134 to i64
  %137 = getelementptr inbounds ptr, ptr %1, i64 %136
  %138 = load ptr, ptr %137, align 8
  store ptr %138, ptr @optarg, align 8
  br label %139

139:
  br label %140

140:
  %141 = icmp ne ptr %3, null
  br i1 %141, label %142, label %143

142:
  store i32 %.361, ptr %3, align 4
  br label %143

143:
  %144 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 2
  %145 = load ptr, ptr %144, align 8
  %146 = icmp ne ptr %145, null
  br i1 %146, label %147, label %152

147:
  %148 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 3
  %149 = load i32, ptr %148, align 8
  %150 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 2
  %151 = load ptr, ptr %150, align 8
  store i32 %149, ptr %151, align 4
  br label %155

152:
  %153 = getelementptr inbounds %struct.option, ptr %.365, i32 0, i32 3
  %154 = load i32, ptr %153, align 8
  br label %155

155:
  %.0 = phi i32 [ 63, %88 ], [ 0, %147 ], [ %154, %152 ], [ 63, %109 ], [ %5, %130 ]
  ret i32 %.0
}

declare ptr @strchr(ptr noundef, i32 noundef)

declare i32 @fprintf(ptr noundef, ptr noundef, ...)

declare i64 @strcspn(ptr noundef, ptr noundef)

declare i32 @strncmp(ptr noundef, ptr noundef, i64 noundef)

declare i64 @strlen(ptr noundef)
