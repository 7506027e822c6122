//! The server's side of the lock, for a relay without its own Diffie-Hellman.

use latchkey_shamir3pass::{Exponent, Group, ServerKey};

use crate::{Outcome, ServerLockKey};

/// Caches the group of the last call, which takes longer to build than to compare by name.
#[derive(Default)]
pub(crate) struct Server {
    last: Option<(String, Group)>,
}

impl Server {
    pub(crate) fn make_key(&mut self, prime: &str) -> Outcome<ServerLockKey> {
        let group = self.group(prime)?;
        let key = ServerKey::make(group)?;
        Ok(ServerLockKey {
            e_b64u: key.e.to_text().to_string(),
            d_b64u: key.d.to_text().to_string(),
            key_id: key.id(group),
        })
    }

    /// The power that puts a lock on with `e`, or takes it off with `d`.
    pub(crate) fn power(&mut self, prime: &str, exponent: &str, base: &str) -> Outcome<String> {
        let group = self.group(prime)?;
        let exponent = Exponent::from_text(group, exponent)?;
        let base = group.element_from_text(base)?;
        Ok(group.element_to_text(&group.power(&base, &exponent)))
    }

    fn group(&mut self, prime: &str) -> Outcome<&Group> {
        if self.last.as_ref().is_none_or(|(name, _)| name != prime) {
            self.last = None;
        }
        let group = match self.last.take() {
            Some(last) => last,
            None => (prime.to_owned(), Group::from_text(prime)?),
        };
        Ok(&self.last.insert(group).1)
    }
}
