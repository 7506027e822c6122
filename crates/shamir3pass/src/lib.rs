//! The Shamir three-pass lock over a safe-prime group.
