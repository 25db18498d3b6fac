#![allow(clippy::unwrap_used, clippy::panic)]
//! Functions with fewer branches: what becomes of them. That they do what they did is shown where prints are run.

use ir::merge::merge;
use ir::parse::parse;
use ir::print::print;

/// Blocks of the only function that can still be reached by a branch, and whether it calls something.
fn shape(text: &str) -> (usize, bool) {
    let mut module = parse(text).unwrap();
    merge(&mut module);
    let printed = print(&module);
    parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    let function = module.functions.iter().find(|function| function.is_defined()).unwrap();
    let mut open = vec![function.blocks.ids().next().unwrap()];
    let mut seen = open.clone();
    while let Some(block) = open.pop() {
        for next in function.insts[*function.blocks[block].insts.last().unwrap()].kind.successors() {
            if !seen.contains(&next) {
                seen.push(next);
                open.push(next);
            }
        }
    }
    (seen.len(), printed.contains("call "))
}

#[test]
fn branches_that_choose_values_are_gone() {
    let choice = "
define i32 @f(i32 %a, i32 %b) {
  %c = icmp sgt i32 %a, %b
  br i1 %c, label %then, label %else
then:
  %x = sub nsw i32 %a, %b
  br label %end
else:
  %y = sub nsw i32 %b, %a
  br label %end
end:
  %r = phi i32 [ %x, %then ], [ %y, %else ]
  ret i32 %r
}";
    assert_eq!(shape(choice), (1, false));
    let guarded = choice.replace("sub nsw i32 %b, %a", "sdiv i32 %b, %a");
    assert_eq!(shape(&guarded), (4, false), "a division may fail");
    let both = "
define i32 @f(i8 %a) {
  %c = icmp sge i8 %a, 48
  br i1 %c, label %second, label %no
second:
  %d = icmp sle i8 %a, 57
  br i1 %d, label %yes, label %no
yes:
  br label %end
no:
  br label %end
end:
  %r = phi i32 [ 1, %yes ], [ 0, %no ]
  ret i32 %r
}";
    assert_eq!(shape(both), (1, false));
}

#[test]
fn switches_that_choose_values_are_gone() {
    let switch = "
define i32 @f(i32 %a) {
  switch i32 %a, label %other [ i32 1, label %one i32 2, label %two i32 3, label %one ]
one:
  %x = add i32 %a, 5
  br label %end
two:
  br label %end
other:
  br label %end
end:
  %r = phi i32 [ %x, %one ], [ 7, %two ], [ 0, %other ]
  ret i32 %r
}";
    assert_eq!(shape(switch), (1, false));
    let straight = switch.replace("label %other [", "label %end [").replace("[ 0, %other ]", "[ 0, %0 ]");
    assert_eq!(shape(&straight.replace("other:\n  br label %end\n", "")), (1, false));
}

#[test]
fn calls_of_itself_at_the_end_are_a_loop() {
    let gcd = "
define i32 @gcd(i32 %a, i32 %b) {
  %c = icmp eq i32 %b, 0
  br i1 %c, label %done, label %again
done:
  br label %end
again:
  %m = urem i32 %a, %b
  %g = call i32 @gcd(i32 %b, i32 %m)
  br label %end
end:
  %r = phi i32 [ %a, %done ], [ %g, %again ]
  ret i32 %r
}";
    assert_eq!(shape(gcd), (4, false));
    let more = gcd.replace("  br label %end\nend:", "  %h = add i32 %g, 1\n  br label %end\nend:");
    let more = more.replace("[ %g, %again ]", "[ %h, %again ]");
    assert_eq!(shape(&more), (4, true), "something comes behind the call");
    let copied = "
define i32 @f(ptr byval({ i32 }) %a, ptr byval({ i32 }) %b) {
  %n = load i32, ptr %a
  store i32 0, ptr %b
  %r = call i32 @f(ptr byval({ i32 }) %a, ptr byval({ i32 }) %a)
  ret i32 %r
}";
    assert_eq!(shape(copied), (1, true), "each call has copies of its own");
}
