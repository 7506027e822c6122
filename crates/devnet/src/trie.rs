//! Counts the nodes of the trie that a NEAR node would keep over the state.
//!
//! This chain keeps no trie, but contracts pay for each trie node that a write visits. The count
//! follows from the keys alone. NEAR's trie is a Patricia trie over half-bytes: a branch where keys
//! diverge, an extension over a shared part, and a leaf for a key that shares nothing further.

use std::collections::BTreeMap;
use std::ops::Bound;

/// The number of trie nodes that a lookup of `key` visits, whether or not the key exists.
pub(crate) fn nodes_visited<V>(entries: &BTreeMap<Vec<u8>, V>, key: &[u8]) -> u64 {
    let mut visited = 0;
    let mut depth = 0;
    let length = 2 * key.len();
    loop {
        let Some((first, last)) = ends_below(entries, key, depth) else {
            return visited;
        };
        visited += 1;
        if first == last {
            return visited;
        }
        // Keys are sorted, so every key shares what the first and the last one share.
        let shared = depth + shared_nibbles(first, last, depth);
        if shared > depth {
            if depth + shared_nibbles(first, key, depth) < shared {
                return visited;
            }
            visited += 1;
        }
        if shared >= length {
            return visited;
        }
        depth = shared + 1;
    }
}

/// The first and the last entry that start with the first `depth` half-bytes of `key`.
fn ends_below<'a, V>(
    entries: &'a BTreeMap<Vec<u8>, V>,
    key: &[u8],
    depth: usize,
) -> Option<(&'a [u8], &'a [u8])> {
    let (whole, half) = (depth / 2, depth % 2 == 1);
    let mut from = key.get(..whole)?.to_vec();
    let mut last_byte = None;
    if half {
        let high = key.get(whole)? & 0xf0;
        from.push(high);
        last_byte = Some(high | 0x0f);
    }
    // The smallest key above that prefix: increment the last byte that is not 0xff.
    let mut above = from.clone();
    if let (Some(last), Some(byte)) = (last_byte, above.last_mut()) {
        *byte = last;
    }
    while above.last() == Some(&u8::MAX) {
        above.pop();
    }
    let end = match above.last_mut() {
        Some(byte) => {
            *byte += 1;
            Bound::Excluded(above)
        }
        None => Bound::Unbounded,
    };
    let mut range = entries.range((Bound::Included(from), end));
    let (first, _) = range.next()?;
    let last = range.next_back().map_or(first, |(last, _)| last);
    Some((first, last))
}

/// The number of half-bytes that `a` and `b` share, starting at half-byte `depth`.
fn shared_nibbles(a: &[u8], b: &[u8], depth: usize) -> usize {
    (depth..)
        .take_while(|index| match (nibble(a, *index), nibble(b, *index)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        })
        .count()
}

fn nibble(bytes: &[u8], index: usize) -> Option<u8> {
    let byte = bytes.get(index / 2)?;
    Some(if index.is_multiple_of(2) {
        byte >> 4
    } else {
        byte & 0x0f
    })
}

#[cfg(test)]
mod tests;
