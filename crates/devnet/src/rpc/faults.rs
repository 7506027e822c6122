//! Injected faults, so that clients can be tested against a chain that answers late, badly or not at
//! all. They affect JSON-RPC only.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode};
use near_primitives::errors::InvalidTxError;
use serde::{Deserialize, Serialize};

use crate::network::kept_seed;

/// The longest latency accepted.
const MAX_LATENCY_MS: u64 = 60_000;
/// The chunks that a stuck shard has missed.
const MISSED_CHUNKS: u64 = 10;

/// The methods that send a transaction.
const SENDING: [&str; 3] = ["send_tx", "broadcast_tx_async", "broadcast_tx_commit"];
/// The methods that look a transaction up.
const LOOKING_UP: [&str; 3] = ["tx", "tx_status", "EXPERIMENTAL_tx_status"];

/// Which faults to inject. The default injects none.
///
/// The rates are shares of the requests, 0 to 1. A request meets at most one of these faults, so the
/// rates add up to at most 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FaultSettings {
    /// Delay before each request, in milliseconds.
    pub latency_ms: u64,
    /// Requests answered with a server error in the chain's envelope, HTTP 500.
    pub error_rate: f64,
    /// Requests answered with HTTP 429.
    pub too_many_requests_rate: f64,
    /// Requests answered with HTTP 403.
    pub forbidden_rate: f64,
    /// Requests answered with HTTP 408.
    pub timeout_rate: f64,
    /// Transactions refused with `ShardCongested`. At NONE, where a node checks nothing, they are lost.
    pub shard_congested_rate: f64,
    /// Transactions refused with `ShardStuck`. At NONE they are lost.
    pub shard_stuck_rate: f64,
    /// Look-ups of transactions that meet a node which does not track the signer's shard.
    pub untracked_rate: f64,
    /// Requests whose connection ends before the chain sees them.
    pub refuse_rate: f64,
    /// Requests that run, but whose connection ends without an answer.
    pub lose_answer_rate: f64,
    /// The body of an answer with status 403, 408 or 429.
    pub body: FaultBody,
    /// Whether those answers have no CORS headers, so that a page in a browser cannot read them.
    pub no_cors: bool,
    /// Those answers' header `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<String>,
    /// The JSON-RPC methods affected; all if absent. A batch that names one of them is affected as a
    /// whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<String>>,
    /// Makes a run repeatable: the same requests in the same order meet the same faults. If absent, the
    /// chain picks one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// The body of an answer with status 403, 408 or 429.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "camelCase")]
#[value(rename_all = "camelCase")]
pub enum FaultBody {
    /// No body.
    #[default]
    Empty,
    /// A JSON-RPC error with the request's id.
    JsonRpc,
    /// A page.
    Html,
}

/// Why settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultSettingsError {
    /// A rate is not a number from 0 to 1.
    #[error("{0} must be a number from 0 to 1")]
    Rate(&'static str),
    /// The rates add up to more than 1.
    #[error("the rates add up to more than 1, and a request meets at most one of them")]
    Sum,
    /// The latency is too long.
    #[error("latencyMs must be at most {MAX_LATENCY_MS}")]
    Latency,
    /// The header has characters that no header can have.
    #[error("retryAfter is no value of a header")]
    RetryAfter,
    /// The list of methods is empty.
    #[error("methods must name at least one method; leave it out for all of them")]
    NoMethods,
}

impl FaultSettings {
    /// Each rate with its name.
    fn rates(&self) -> [(&'static str, f64); 9] {
        [
            ("refuseRate", self.refuse_rate),
            ("tooManyRequestsRate", self.too_many_requests_rate),
            ("errorRate", self.error_rate),
            ("loseAnswerRate", self.lose_answer_rate),
            ("forbiddenRate", self.forbidden_rate),
            ("timeoutRate", self.timeout_rate),
            ("shardCongestedRate", self.shard_congested_rate),
            ("shardStuckRate", self.shard_stuck_rate),
            ("untrackedRate", self.untracked_rate),
        ]
    }

    fn check(&self) -> Result<(), FaultSettingsError> {
        let rates = self.rates();
        for (name, rate) in rates {
            if !(0.0..=1.0).contains(&rate) {
                return Err(FaultSettingsError::Rate(name));
            }
        }
        // Floating-point sums of decimal fractions may exceed 1 slightly.
        if rates.iter().map(|(_, rate)| rate).sum::<f64>() > 1.0 + 1e-9 {
            return Err(FaultSettingsError::Sum);
        }
        if self.latency_ms > MAX_LATENCY_MS {
            return Err(FaultSettingsError::Latency);
        }
        if self.methods.as_ref().is_some_and(Vec::is_empty) {
            return Err(FaultSettingsError::NoMethods);
        }
        self.manner().map(drop)
    }

    fn manner(&self) -> Result<Manner, FaultSettingsError> {
        let retry_after = self.retry_after.as_deref().map(HeaderValue::from_str);
        Ok(Manner {
            body: self.body,
            cors: !self.no_cors,
            retry_after: retry_after
                .transpose()
                .map_err(|_| FaultSettingsError::RetryAfter)?,
        })
    }

    fn touches(&self, methods: &[&str]) -> bool {
        self.methods
            .as_ref()
            .is_none_or(|touched| touched.iter().any(|name| methods.contains(&name.as_str())))
    }
}

/// How often each fault occurred since the settings took effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FaultHits {
    /// Requests that the settings affect, with or without a fault.
    requests: u64,
    delayed: u64,
    errors: u64,
    too_many_requests: u64,
    forbidden: u64,
    timeouts: u64,
    shard_congested: u64,
    shard_stuck: u64,
    untracked: u64,
    refused: u64,
    lost_answers: u64,
}

/// The settings with their counters, as the admin route shows them.
#[derive(Debug, Serialize)]
pub(super) struct FaultReport {
    #[serde(flatten)]
    settings: FaultSettings,
    hits: FaultHits,
}

/// What happens to one request, apart from latency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// The connection ends before the chain sees the request.
    Refuse,
    /// An HTTP status without the chain's envelope.
    Status(StatusCode),
    /// A server error in the chain's envelope.
    Error,
    /// The request runs, and the connection ends without an answer.
    LoseAnswer,
    /// The shard takes no new transactions.
    Busy(InvalidTxError),
    /// The node does not track the signer's shard.
    Untracked,
}

impl Fault {
    /// Whether the fault can happen to a request that names `methods`.
    fn fits(&self, methods: &[&str]) -> bool {
        let names = match self {
            Self::Busy(_) => &SENDING[..],
            Self::Untracked => &LOOKING_UP[..],
            _ => return true,
        };
        matches!(methods, [method] if names.contains(method))
    }
}

/// How an answer with a bare HTTP status looks.
#[derive(Debug, Default)]
pub(super) struct Manner {
    pub(super) body: FaultBody,
    pub(super) cors: bool,
    pub(super) retry_after: Option<HeaderValue>,
}

/// What a request meets.
#[derive(Debug)]
pub(super) struct Meeting {
    pub(super) delay: Duration,
    pub(super) fault: Option<Fault>,
    pub(super) manner: Manner,
}

/// The faults in effect. Clones share them.
#[derive(Debug, Clone)]
pub struct Faults {
    current: Arc<Mutex<Current>>,
}

#[derive(Debug)]
struct Current {
    settings: FaultSettings,
    random: fastrand::Rng,
    hits: FaultHits,
}

impl Current {
    fn new(mut settings: FaultSettings) -> Result<Self, FaultSettingsError> {
        settings.check()?;
        let seed = kept_seed(&mut settings.seed);
        Ok(Self {
            settings,
            random: fastrand::Rng::with_seed(seed),
            hits: FaultHits::default(),
        })
    }
}

impl Faults {
    /// Checks the settings and puts them into effect.
    pub fn new(settings: FaultSettings) -> Result<Self, FaultSettingsError> {
        Ok(Self {
            current: Arc::new(Mutex::new(Current::new(settings)?)),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the settings and resets the counters.
    pub(super) fn replace(&self, settings: FaultSettings) -> Result<(), FaultSettingsError> {
        *self.lock() = Current::new(settings)?;
        Ok(())
    }

    pub(super) fn report(&self) -> FaultReport {
        let current = self.lock();
        FaultReport {
            settings: current.settings.clone(),
            hits: current.hits,
        }
    }

    /// Decides the delay and the fault of a request that names `methods`.
    pub(super) fn meet(&self, methods: &[&str]) -> Meeting {
        let mut current = self.lock();
        let Current {
            settings,
            random,
            hits,
        } = &mut *current;
        let mut meeting = Meeting {
            delay: Duration::ZERO,
            fault: None,
            // The settings were checked.
            manner: settings.manner().unwrap_or_default(),
        };
        // Unaffected requests draw no random number, so they cannot disturb a seeded run.
        if !settings.touches(methods) {
            return meeting;
        }
        hits.requests += 1;
        if settings.latency_ms > 0 {
            hits.delayed += 1;
        }
        meeting.delay = Duration::from_millis(settings.latency_ms);
        let mut number = random.f64();
        let faults = [
            (Fault::Refuse, &mut hits.refused),
            (
                Fault::Status(StatusCode::TOO_MANY_REQUESTS),
                &mut hits.too_many_requests,
            ),
            (Fault::Error, &mut hits.errors),
            (Fault::LoseAnswer, &mut hits.lost_answers),
            (Fault::Status(StatusCode::FORBIDDEN), &mut hits.forbidden),
            (
                Fault::Status(StatusCode::REQUEST_TIMEOUT),
                &mut hits.timeouts,
            ),
            (
                Fault::Busy(InvalidTxError::ShardCongested {
                    shard_id: 0,
                    congestion_level: 1u8.into(),
                }),
                &mut hits.shard_congested,
            ),
            (
                Fault::Busy(InvalidTxError::ShardStuck {
                    shard_id: 0,
                    missed_chunks: MISSED_CHUNKS,
                }),
                &mut hits.shard_stuck,
            ),
            (Fault::Untracked, &mut hits.untracked),
        ];
        for ((fault, count), (_, share)) in faults.into_iter().zip(settings.rates()) {
            if number < share {
                if fault.fits(methods) {
                    *count += 1;
                    meeting.fault = Some(fault);
                }
                break;
            }
            number -= share;
        }
        meeting
    }
}
