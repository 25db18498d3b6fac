use super::*;
use evidence::Assumption;
use std::sync::Arc;

/// A way of `condition:side` for forced and `condition/side` for open decisions, with sides 0 and 1.
fn way(text: &str) -> Vec<Mark> {
    let mark = |word: &str| {
        let (condition, rest) = word.split_at(word.find([':', '/']).unwrap_or(0));
        let sides: Arc<[u32]> = Arc::new([0, 1]);
        let kind = if rest.starts_with(':') { MarkKind::Forced } else { MarkKind::Fork(Some(sides)) };
        Mark { condition: condition.parse().unwrap_or(0), side: rest[1..].parse().unwrap_or(0), kind }
    };
    text.split_whitespace().map(mark).collect()
}

fn tree(ways: &[&str]) -> Tree {
    let mut tree = Tree::new();
    for text in ways {
        let marks = way(text);
        tree.insert(&marks.iter().collect::<Vec<_>>(), Some(End::Path), &mut Vec::new());
    }
    tree
}

#[test]
fn says_what_was_found_out() {
    let tree = tree(&["7:1 8/0", "7:1 8/1 9:0"]);
    assert_eq!(tree.known(Tree::ROOT, 7), Known::Forced(1));
    assert_eq!(tree.known(Tree::ROOT, 6), Known::Nothing);
    let Known::Fork(sides, children) = tree.known(Tree::ROOT, 8) else { unreachable!() };
    assert_eq!((sides, children.len()), (&[0, 1][..], 2));
    assert_eq!(tree.known(children[1].1, 9), Known::Forced(0));
    assert_eq!(tree.ranges()[0], (0, 2));
    assert_eq!(tree.ways(Tree::ROOT), [[0], [1]]);
}

#[test]
fn what_was_not_followed_is_not_complete() {
    let (whole, part) = (tree(&["1/0", "1/1 2/0", "1/1 2/1"]), tree(&["1/0", "1/1 2/1"]));
    assert!(whole.complete()[0]);
    let complete = part.complete();
    assert_eq!((complete[0], complete[1]), (false, true));
}

#[test]
fn parts_of_two_workers_become_one() {
    let mut one = tree(&["1/0", "1/1 2/0"]);
    one.graft(Tree::ROOT, &tree(&["1/1 2/1 3:0"]), Tree::ROOT);
    let ways: Vec<Vec<u32>> = vec![vec![0], vec![1, 0], vec![1, 1]];
    assert_eq!((one.ways(Tree::ROOT), one.complete()[0]), (ways, true));
}

#[test]
fn bytes_and_back() {
    let mut tree = tree(&["7:1 8/0", "7:1 8/1 9:0 4/1"]);
    let marks = way("7:1 8/1 9:0");
    let gap = Gap::OutOfScope { bound: Assumption::Iterations { most: 3 } };
    let notes = &mut vec![(2, gap.clone(), None), (1, gap.clone(), None)];
    tree.insert(&marks.iter().collect::<Vec<_>>(), None, notes);
    let bytes = tree.to_bytes().unwrap_or_default();
    let gap = serde_json::to_string(&gap).unwrap_or_default();
    assert!(bytes.len() < 80 + gap.len(), "{} bytes, of which {} name a gap", bytes.len(), gap.len());
    let back = Tree::from_bytes(&bytes).unwrap_or_default();
    assert_eq!(back.ways(Tree::ROOT), tree.ways(Tree::ROOT));
    assert_eq!(back.notes(Tree::ROOT), tree.notes(Tree::ROOT));
    assert_eq!(back.to_bytes(), Some(bytes.clone()));
    // No cut or changed bytes break it.
    for at in 0..bytes.len() {
        assert!(Tree::from_bytes(&bytes[..at]).is_none());
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x55;
        let _ = Tree::from_bytes(&wrong);
    }
}
