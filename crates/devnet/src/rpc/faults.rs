//! Faults on purpose, so that clients can be tested against a chain that answers late, badly or
//! not at all. They touch JSON-RPC only.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest latency that can be set.
const MAX_LATENCY_MS: u64 = 60_000;

/// Which faults to inject. The default injects none.
///
/// The four rates are shares of the requests, 0 to 1. A request meets at most one of these
/// faults, so together they are at most 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FaultSettings {
    /// Milliseconds that each request waits before anything else happens.
    pub latency_ms: u64,
    /// Requests answered with a server error in the chain's envelope, HTTP 500.
    pub error_rate: f64,
    /// Requests answered with HTTP 429.
    pub too_many_requests_rate: f64,
    /// Requests whose connection ends before the chain has seen them.
    pub refuse_rate: f64,
    /// Requests that are carried out and whose connection then ends without an answer.
    pub lose_answer_rate: f64,
    /// The JSON-RPC methods that are touched; absent, all are. A batch is touched as a whole when
    /// it names one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<String>>,
    /// Makes a run repeatable: the same requests in the same order meet the same faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Why settings were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultSettingsError {
    /// A rate is no share.
    #[error("{0} must be a number from 0 to 1")]
    Rate(&'static str),
    /// The rates overlap.
    #[error(
        "errorRate, tooManyRequestsRate, refuseRate and loseAnswerRate add up to more than 1, and a request meets at most one of them"
    )]
    Sum,
    /// Clients would wait for ever.
    #[error("latencyMs must be at most {MAX_LATENCY_MS}")]
    Latency,
    /// Nothing would ever be touched.
    #[error("methods must name at least one method; leave it out for all of them")]
    NoMethods,
}

impl FaultSettings {
    fn check(&self) -> Result<(), FaultSettingsError> {
        let rates = [
            ("errorRate", self.error_rate),
            ("tooManyRequestsRate", self.too_many_requests_rate),
            ("refuseRate", self.refuse_rate),
            ("loseAnswerRate", self.lose_answer_rate),
        ];
        for (name, rate) in rates {
            if !(0.0..=1.0).contains(&rate) {
                return Err(FaultSettingsError::Rate(name));
            }
        }
        // Decimal fractions that add up to 1 on paper may miss it by a hair.
        if rates.iter().map(|(_, rate)| rate).sum::<f64>() > 1.0 + 1e-9 {
            return Err(FaultSettingsError::Sum);
        }
        if self.latency_ms > MAX_LATENCY_MS {
            return Err(FaultSettingsError::Latency);
        }
        if self.methods.as_ref().is_some_and(Vec::is_empty) {
            return Err(FaultSettingsError::NoMethods);
        }
        Ok(())
    }

    fn touches(&self, methods: &[&str]) -> bool {
        self.methods
            .as_ref()
            .is_none_or(|touched| touched.iter().any(|name| methods.contains(&name.as_str())))
    }
}

/// How often each fault was met since the settings were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FaultHits {
    /// Requests that the settings touch, whether a fault met them or not.
    requests: u64,
    delayed: u64,
    errors: u64,
    too_many_requests: u64,
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

/// What happens to one request besides its latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Refuse,
    TooManyRequests,
    Error,
    LoseAnswer,
}

/// The faults in force. Clones share them.
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
        // A seed of our own choice is shown, so that any run can be repeated. 32 bits survive
        // JavaScript's numbers.
        let seed = *settings
            .seed
            .get_or_insert_with(|| fastrand::u32(..).into());
        Ok(Self {
            settings,
            random: fastrand::Rng::with_seed(seed),
            hits: FaultHits::default(),
        })
    }
}

impl Faults {
    /// Faults by these settings.
    pub fn new(settings: FaultSettings) -> Result<Self, FaultSettingsError> {
        Ok(Self {
            current: Arc::new(Mutex::new(Current::new(settings)?)),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts other settings in force; the counters start again.
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

    /// Decides what a request that names `methods` meets: how long it waits, and which fault.
    pub(super) fn meet(&self, methods: &[&str]) -> (Duration, Option<Fault>) {
        let mut current = self.lock();
        let Current {
            settings,
            random,
            hits,
        } = &mut *current;
        // Requests out of reach take no number, so that they cannot disturb a seeded run.
        if !settings.touches(methods) {
            return (Duration::ZERO, None);
        }
        hits.requests += 1;
        if settings.latency_ms > 0 {
            hits.delayed += 1;
        }
        let mut number = random.f64();
        let shares = [
            (settings.refuse_rate, Fault::Refuse, &mut hits.refused),
            (
                settings.too_many_requests_rate,
                Fault::TooManyRequests,
                &mut hits.too_many_requests,
            ),
            (settings.error_rate, Fault::Error, &mut hits.errors),
            (
                settings.lose_answer_rate,
                Fault::LoseAnswer,
                &mut hits.lost_answers,
            ),
        ];
        let mut met = None;
        for (share, fault, count) in shares {
            if number < share {
                *count += 1;
                met = Some(fault);
                break;
            }
            number -= share;
        }
        (Duration::from_millis(settings.latency_ms), met)
    }
}
