#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::nodes_visited;

/// A trie built node by node, as the reference.
enum Node {
    Leaf,
    Extension(Vec<u8>, Box<Node>),
    Branch(Box<[Option<Node>; 16]>),
}

impl Node {
    fn build(keys: Vec<Vec<u8>>) -> Self {
        if keys.len() == 1 {
            return Self::Leaf;
        }
        let shared = (0..)
            .take_while(|&at| {
                let digit = keys[0].get(at);
                digit.is_some() && keys.iter().all(|key| key.get(at) == digit)
            })
            .count();
        if shared > 0 {
            let extension = keys[0][..shared].to_vec();
            let rest = keys.into_iter().map(|key| key[shared..].to_vec()).collect();
            return Self::Extension(extension, Box::new(Self::build(rest)));
        }
        // A key that ends here is the branch's value and has no node of its own.
        let children = std::array::from_fn(|digit| {
            let below: Vec<_> = keys
                .iter()
                .filter(|key| key.first() == Some(&(digit as u8)))
                .map(|key| key[1..].to_vec())
                .collect();
            (!below.is_empty()).then(|| Self::build(below))
        });
        Self::Branch(Box::new(children))
    }

    fn visited(&self, key: &[u8]) -> u64 {
        1 + match self {
            Self::Leaf => 0,
            Self::Extension(extension, child) => key
                .strip_prefix(extension.as_slice())
                .map_or(0, |rest| child.visited(rest)),
            Self::Branch(children) => match key.split_first() {
                Some((digit, rest)) => children[usize::from(*digit)]
                    .as_ref()
                    .map_or(0, |child| child.visited(rest)),
                None => 0,
            },
        }
    }
}

fn nibbles(key: &[u8]) -> Vec<u8> {
    key.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect()
}

fn entries<const N: usize>(keys: [&[u8]; N]) -> BTreeMap<Vec<u8>, ()> {
    keys.into_iter().map(|key| (key.to_vec(), ())).collect()
}

#[test]
fn counts_the_nodes_that_a_lookup_visits() {
    assert_eq!(nodes_visited(&entries([]), b"a"), 0);
    // A single key is one leaf, whichever key is looked up.
    assert_eq!(nodes_visited(&entries([b"abc"]), b"abc"), 1);
    assert_eq!(nodes_visited(&entries([b"abc"]), b"xyz"), 1);
    // An extension over "ab6", a branch at the half-byte where "c" and "d" diverge, a leaf.
    let two = entries([b"abc", b"abd"]);
    assert_eq!(nodes_visited(&two, b"abc"), 3);
    assert_eq!(nodes_visited(&two, b"abe"), 2);
    assert_eq!(nodes_visited(&two, b"b"), 1);
    // A branch holds the value of a key that others extend.
    assert_eq!(nodes_visited(&entries([b"ab", b"abc"]), b"ab"), 2);
    assert_eq!(
        nodes_visited(&entries([&[0xff], &[0xff, 0xff]]), &[0xff, 0xff]),
        3
    );
}

proptest! {
    #[test]
    fn agrees_with_a_trie_built_node_by_node(
        keys in prop::collection::btree_set(prop::collection::vec(prop_oneof![0u8..4, Just(0xf0), Just(0xff)], 0..6), 1..40),
        other in prop::collection::vec(prop_oneof![0u8..4, Just(0xf0), Just(0xff)], 0..7),
    ) {
        let trie = Node::build(keys.iter().map(|key| nibbles(key)).collect());
        let entries: BTreeMap<_, _> = keys.iter().map(|key| (key.clone(), ())).collect();
        for key in keys.iter().chain([&other]) {
            prop_assert_eq!(nodes_visited(&entries, key), trie.visited(&nibbles(key)));
        }
    }
}
