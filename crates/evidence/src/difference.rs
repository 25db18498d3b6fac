//! How two versions differ.

use crate::table::table;

/// Which versions are defined on the input of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Both of them.
    Both,
    /// The old one alone.
    Old,
    /// The new one, at most.
    New,
}

use Domain::{Both, New, Old};

table! {
    /// How two versions differ, on an input or from a place on.
    pub enum Difference (domain: Domain);

    "D001" Value "value" (Both)
        "Both versions return, with another value.",
        "`return n < 10;` became `return n <= 10;`.", "";
    "D002" Memory "memory" (Both)
        "Memory that the caller sees, or a global variable, has other contents afterwards.",
        "`*out = n;` became `*out = n + 1;`.", "";
    "D003" Output "output" (Both)
        "The versions write something else to stdout or stderr.",
        "`printf(\"%d\", n)` became `printf(\"%u\", n)`.", "";
    "D004" Calls "calls" (Both)
        "The versions call functions outside of the program with other arguments, in another order, or not at all.",
        "`log_it(n)` was removed.", "";
    "D005" End "end" (Both)
        "One version returns and the other one exits, or they exit with different codes.",
        "`return 1;` became `exit(1);`.", "";
    "D006" FaultAppears "fault appears" (Both)
        "The old version works on the input, the new one faults: a crash, a failed assertion, a panic.",
        "A null check was removed.", "";
    "D007" FaultDisappears "fault disappears" (Both)
        "The old version faults on the input, the new one works.",
        "A null check was added.", "";
    "D008" AnotherFault "another fault" (Both)
        "Both versions fault on the input, in different ways.",
        "`assert(p)` in front of `*p`.", "";
    "D009" OldWasUndefined "old was undefined" (New)
        "The behaviour of the old version is undefined on the input: overflow, a shift that is too far, a result that changes with the bytes of memory that was never initialised. It promised nothing there.",
        "`n + 1 > n` became `n != INT_MAX`.", "--ignore 'old was undefined' does not count it";
    "D010" Aliasing "aliasing" (Both)
        "The versions differ only if a pointer to something `const` aliases what the function writes.",
        "`void add(int *a, const int *b)` called with `a == b`.", "--ignore aliasing does not count it";
    "D011" Hang "hang" (Both)
        "One version ends on the input, the other one does not.",
        "`i--` became `i++` in a loop.", "";
    "D012" NewIsUndefined "new is undefined" (Old)
        "What is seen of the new version on the input depends on memory that it never initialised: it changes with the bytes that happen to lie there. What the old version does there is the same whatever these are.",
        "`int sum = 0;` became `int sum;`.", "initialise the variable; --ignore 'new is undefined' does not count it";
    "D020" Local {
            file: String,
            line: u32,
            /// What the source says there.
            source: String,
            /// Over the variables at that line; empty if it is not known.
            condition: String,
            /// Whether that is always so.
            always: bool,
            /// Whether the versions differ there if and only if the condition holds.
            exact: bool,
            old: String,
            new: String,
        }
        "at {file}:{line}, if `{condition}`: {old} / {new}" (Both)
        "Where the versions part, as a condition over the variables at that place: what the old version does there, and what the new one does. No input of the whole function was found that gets there.",
        "`n > 8` became `n >= 8` inside of a parser's main loop.", "review the line; --timeout N looks longer for an input that gets there";
}

impl Difference {
    /// The kind that users name by its text.
    pub fn parse(text: &str) -> Option<Difference> {
        use Difference::*;
        let all = [
            Value,
            Memory,
            Output,
            Calls,
            End,
            FaultAppears,
            FaultDisappears,
            AnotherFault,
            OldWasUndefined,
            Aliasing,
            Hang,
            NewIsUndefined,
        ];
        all.into_iter().find(|kind| kind.row().text == text)
    }

    /// Which versions are defined on the input.
    pub fn domain(&self) -> Domain {
        self.properties().0
    }

    const fn note(domain: Domain) -> &'static str {
        match domain {
            Both => "",
            New => "outside of the old version's domain",
            Old => "outside of the new version's domain",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_can_be_named() {
        for row in Difference::ROWS.iter().filter(|row| !row.text.contains('{')) {
            assert_eq!(Difference::parse(row.text).map(|kind| kind.code()), Some(row.code));
        }
        assert_eq!(Difference::parse("colour"), None);
        assert_eq!(Difference::parse("old was undefined"), Some(Difference::OldWasUndefined));
    }
}
