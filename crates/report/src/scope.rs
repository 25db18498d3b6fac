//! What a result holds for, as one line.

/// Most names that are listed for one restriction.
const MAX_NAMES: usize = 3;

/// A scope as one line: names that are restricted in the same way are said together.
pub fn in_short(scope: &[String]) -> String {
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    for what in scope {
        let (name, rest) = what.split_once(": ").unwrap_or(("", what));
        match groups.iter_mut().find(|(names, known)| *known == rest && !names[0].is_empty() && !name.is_empty()) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], rest)),
        }
    }
    let texts = groups.into_iter().map(|(mut names, rest)| {
        if names.len() > MAX_NAMES {
            // `argv[2]` before `argv[10]`.
            names.sort_by_key(|name| (name.len(), *name));
        }
        match names.as_slice() {
            [""] => rest.to_owned(),
            few if few.len() <= MAX_NAMES => format!("{}: {rest}", few.join(", ")),
            many => {
                format!("{} and {} others: {rest}", many[..MAX_NAMES - 1].join(", "), many.len() - (MAX_NAMES - 1))
            }
        }
    });
    texts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_one_restriction_are_said_together() {
        let check = |scope: &[&str], expect: &str| {
            let scope: Vec<String> = scope.iter().map(|&what| what.to_owned()).collect();
            assert_eq!(in_short(&scope), expect);
        };
        check(&[], "");
        check(&["all inputs"], "all inputs");
        check(&["all inputs: the code is the same"], "all inputs: the code is the same");
        check(
            &["a: up to 8", "up to 16 rounds", "b: up to 8", "c: up to 4"],
            "a, b: up to 8; up to 16 rounds; c: up to 4",
        );
        check(&["v[10]: short", "v[11]: short", "v[1]: short", "v[2]: short"], "v[1], v[2] and 2 others: short");
    }
}
