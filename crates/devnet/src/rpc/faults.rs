//! Injected faults, so that clients can be tested against a chain that answers late, badly or not at
//! all. They affect JSON-RPC only.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest latency accepted.
const MAX_LATENCY_MS: u64 = 60_000;

/// Which faults to inject. The default injects none.
///
/// The four rates are shares of the requests, 0 to 1. A request meets at most one of these faults, so
/// the rates add up to at most 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FaultSettings {
    /// Delay before each request, in milliseconds.
    pub latency_ms: u64,
    /// Requests answered with a server error in the chain's envelope, HTTP 500.
    pub error_rate: f64,
    /// Requests answered with HTTP 429.
    pub too_many_requests_rate: f64,
    /// Requests whose connection ends before the chain sees them.
    pub refuse_rate: f64,
    /// Requests that run, but whose connection ends without an answer.
    pub lose_answer_rate: f64,
    /// The JSON-RPC methods affected; all if absent. A batch that names one of them is affected as a
    /// whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<String>>,
    /// Makes a run repeatable: the same requests in the same order meet the same faults. If absent, the
    /// chain picks one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Why settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultSettingsError {
    /// A rate is not a number from 0 to 1.
    #[error("{0} must be a number from 0 to 1")]
    Rate(&'static str),
    /// The rates add up to more than 1.
    #[error(
        "errorRate, tooManyRequestsRate, refuseRate and loseAnswerRate add up to more than 1, and a request meets at most one of them"
    )]
    Sum,
    /// The latency is too long.
    #[error("latencyMs must be at most {MAX_LATENCY_MS}")]
    Latency,
    /// The list of methods is empty.
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
        Ok(())
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Refuse,
    TooManyRequests,
    Error,
    LoseAnswer,
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
        // A generated seed is part of the settings, so that any run can be repeated. JavaScript holds
        // 32 bits exactly.
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
    pub(super) fn meet(&self, methods: &[&str]) -> (Duration, Option<Fault>) {
        let mut current = self.lock();
        let Current {
            settings,
            random,
            hits,
        } = &mut *current;
        // Unaffected requests draw no random number, so they cannot disturb a seeded run.
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
