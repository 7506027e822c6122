//! How the nodes behind the port know and treat the chain: finality, lag, patience, and what is lost.

use near_primitives::types::{Balance, BlockHeight};
use serde::{Deserialize, Serialize};

/// Two blocks at the next two heights make a block final.
const HEIGHTS_TO_FINAL: u64 = 2;
/// The most heights that a node may lag. Views need the state at its head.
const MAX_LAG: u64 = 100;
/// The most nodes behind the port.
const MAX_BACKENDS: usize = 16;
/// The longest time that a look-up waits.
const MAX_PATIENCE_MS: u64 = 600_000;
/// The most heights that may be skipped between two blocks.
const MAX_SKIPPED: u64 = 10;
/// The most further blocks that a receipt may take.
const MAX_RECEIPT_BLOCKS: u64 = 100;
/// The fewest heights that a chain remembers.
const MIN_HISTORY: u64 = 10;
/// The highest gas price, as a multiple of the lowest.
const MAX_GAS_PRICE_FACTOR: u64 = 1_000;

/// The form of a node's answers where nearcore has changed it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "camelCase")]
pub enum RpcDialect {
    /// Before nearcore 2.14: the key of a missing account is a missing key, its list of keys is empty, lists
    /// have no pages, time-outs name no cause, and `tx_status` is unknown.
    Older,
    /// Since nearcore 2.14, with the missing accounts of nearcore#16267.
    #[default]
    Newer,
}

/// How the nodes behind the port know and treat the chain. The default is one up-to-date node that
/// answers as nodes do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NetworkSettings {
    /// One kind node: every block is final, a look-up tells what waits or was refused, and each
    /// submission is checked completely.
    pub simple: bool,
    /// How many heights each node behind the port lags. Each request meets one of them.
    pub lags: Vec<u64>,
    /// How each node behind the port answers. Those that are not named are newer.
    pub dialects: Vec<RpcDialect>,
    /// How long a look-up waits for its level, in milliseconds.
    pub patience_ms: u64,
    /// Whether a time-out names its cause, as nodes do from nearcore 2.14.
    pub timeout_causes: bool,
    /// Share of heights that stay without a block.
    pub skip_rate: f64,
    /// Share of accepted transactions that are lost silently.
    pub drop_rate: f64,
    /// Further blocks that each receipt to another account takes.
    pub receipt_blocks: u64,
    /// The highest gas price, as a multiple of the lowest; 1 keeps the price still.
    pub gas_price_factor: u64,
    /// Heights whose blocks and outcomes the nodes remember; all within the chain's own limits if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<u64>,
    /// Makes the choices of nodes, skipped heights, lost transactions and prices repeatable. If absent,
    /// the chain picks one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self {
            simple: false,
            lags: vec![0],
            dialects: vec![RpcDialect::Newer],
            patience_ms: 10_000,
            timeout_causes: true,
            skip_rate: 0.0,
            drop_rate: 0.0,
            receipt_blocks: 0,
            gas_price_factor: 1,
            history: None,
            seed: None,
        }
    }
}

/// Why settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkSettingsError {
    /// A rate is not a number from 0 to 1.
    #[error("{0} must be a number from 0 to 1")]
    Rate(&'static str),
    /// A number is outside its range.
    #[error("{name} must be {least} to {most}")]
    Range {
        /// The setting.
        name: &'static str,
        /// The least value.
        least: u64,
        /// The most.
        most: u64,
    },
    /// There are no nodes or too many.
    #[error("lags must name 1 to {MAX_BACKENDS} nodes")]
    Backends,
    /// More dialects than nodes.
    #[error("dialects must name at most as many nodes as lags")]
    Dialects,
}

impl NetworkSettings {
    /// One kind node, whose blocks are final as soon as they exist.
    #[must_use]
    pub fn simple() -> Self {
        Self {
            simple: true,
            ..Self::default()
        }
    }

    /// Checks that every setting is within its range.
    pub fn check(&self) -> Result<(), NetworkSettingsError> {
        for (name, rate) in [("skipRate", self.skip_rate), ("dropRate", self.drop_rate)] {
            if !(0.0..=1.0).contains(&rate) {
                return Err(NetworkSettingsError::Rate(name));
            }
        }
        if !(1..=MAX_BACKENDS).contains(&self.lags.len()) {
            return Err(NetworkSettingsError::Backends);
        }
        if self.dialects.len() > self.lags.len() {
            return Err(NetworkSettingsError::Dialects);
        }
        let lag = self.lags.iter().copied().max().unwrap_or_default();
        let history = self.history.unwrap_or(u64::MAX);
        for (name, value, least, most) in [
            ("lags", lag, 0, MAX_LAG),
            ("patienceMs", self.patience_ms, 0, MAX_PATIENCE_MS),
            ("receiptBlocks", self.receipt_blocks, 0, MAX_RECEIPT_BLOCKS),
            (
                "gasPriceFactor",
                self.gas_price_factor,
                1,
                MAX_GAS_PRICE_FACTOR,
            ),
            ("history", history, MIN_HISTORY, u64::MAX),
        ] {
            if !(least..=most).contains(&value) {
                return Err(NetworkSettingsError::Range { name, least, most });
            }
        }
        Ok(())
    }
}

/// The settings in effect, with a source of chance for each purpose, so that the order of requests does
/// not change the blocks.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) settings: NetworkSettings,
    heights: fastrand::Rng,
    losses: fastrand::Rng,
    prices: fastrand::Rng,
}

impl Network {
    pub(crate) fn new(mut settings: NetworkSettings) -> Result<Self, NetworkSettingsError> {
        settings.check()?;
        let seed = kept_seed(&mut settings.seed);
        Ok(Self {
            settings,
            heights: random(seed, 1),
            losses: random(seed, 2),
            prices: random(seed, 3),
        })
    }

    /// The height of the block after one at `height`.
    pub(crate) fn next_height(&mut self, height: BlockHeight) -> BlockHeight {
        let mut skipped = 0;
        while skipped < MAX_SKIPPED && self.heights.f64() < self.settings.skip_rate {
            skipped += 1;
        }
        height + 1 + skipped
    }

    /// Whether an accepted transaction is lost on its way to those who make blocks.
    pub(crate) fn loses_transaction(&mut self) -> bool {
        self.losses.f64() < self.settings.drop_rate
    }

    /// The price of gas after a block at `price`: up or down by at most a tenth, within `lowest` and its
    /// multiple.
    pub(crate) fn next_price(&mut self, price: Balance, lowest: Balance) -> Balance {
        let highest = self.highest_price(lowest);
        let percent = self.prices.u128(90..=110);
        let moved = price.saturating_mul(percent).saturating_div(100);
        moved.clamp(lowest, highest)
    }

    /// How many blocks later every node counts a block as final, without skipped heights.
    pub(crate) fn blocks_to_final(&self) -> u64 {
        if self.settings.simple {
            return 0;
        }
        HEIGHTS_TO_FINAL + self.settings.lags.iter().copied().max().unwrap_or_default()
    }

    /// The highest price that a gas may get.
    pub(crate) fn highest_price(&self, lowest: Balance) -> Balance {
        lowest.saturating_mul(u128::from(self.settings.gas_price_factor))
    }

    /// The lowest height that nodes with this head remember.
    pub(crate) fn remembered_from(&self, head: BlockHeight) -> BlockHeight {
        self.settings
            .history
            .map_or(0, |history| head.saturating_sub(history))
    }
}

/// The seed of a run; one that it generates becomes part of the settings, so that any run can be
/// repeated. JavaScript holds 32 bits exactly.
pub(crate) fn kept_seed(seed: &mut Option<u64>) -> u64 {
    *seed.get_or_insert_with(|| fastrand::u32(..).into())
}

/// A source of chance for one purpose.
fn random(seed: u64, purpose: u64) -> fastrand::Rng {
    fastrand::Rng::with_seed(seed.wrapping_mul(4) ^ purpose)
}

/// The nodes behind the port, apart from the chain, so that a request meets one without waiting for a
/// block.
#[derive(Debug)]
pub(crate) struct Nodes {
    settings: NetworkSettings,
    random: fastrand::Rng,
}

impl Nodes {
    pub(crate) fn of(network: &Network) -> Self {
        let settings = network.settings.clone();
        let random = random(settings.seed.unwrap_or_default(), 0);
        Self { settings, random }
    }

    /// Picks the node that the next request meets: its lag, its dialect, and the settings of all nodes.
    pub(crate) fn pick(&mut self) -> (u64, RpcDialect, &NetworkSettings) {
        let node = self.random.usize(..self.settings.lags.len().max(1));
        let lag = self.settings.lags.get(node).copied().unwrap_or_default();
        let dialect = self.settings.dialects.get(node).copied();
        (lag, dialect.unwrap_or_default(), &self.settings)
    }
}
