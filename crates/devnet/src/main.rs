//! `latchkey-devnet`: a local NEAR chain behind the JSON-RPC of a node.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser};
use latchkey_devnet::rpc::{self, FaultBody, FaultSettings, Faults};
use latchkey_devnet::{Chain, ChainConfig, Genesis, NetworkSettings, RegistryGenesis, RpcDialect};
use near_primitives::types::{AccountId, Balance, ProtocolVersion};
use near_primitives::version::PROTOCOL_VERSION;
use tracing_subscriber::EnvFilter;

/// The most NEAR that one account may start with. A hundred such accounts still fit a balance.
const MAX_FUNDED: u64 = 1_000_000_000_000;

/// The longest time between blocks: an hour.
const MAX_BLOCK_TIME: Duration = Duration::from_secs(3_600);
/// How long the program waits for its own threads on exit.
const CLOSING: Duration = Duration::from_secs(1);

/// A local NEAR chain with the accounts testnet, w3a-v1.testnet (the registry) and relayer.testnet.
///
/// Each account has a full-access development key: ed25519 with the seed
/// SHA-256("latchkey-devnet:" + account id).
#[derive(Debug, Parser)]
#[command(name = "latchkey-devnet", version)]
struct Options {
    /// Port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 3030)]
    port: u16,
    /// Folder that stores the chain between runs; without it the chain stays in memory.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Wipe the data folder's chain before starting.
    #[arg(long, requires = "data")]
    fresh: bool,
    /// Time between blocks, like 600ms or 1s; `manual` makes none.
    #[arg(long, default_value = "600ms", value_parser = block_time)]
    block_time: BlockTime,
    /// Protocol version whose rules and prices apply, 84 to 88.
    #[arg(long, default_value_t = PROTOCOL_VERSION, value_parser = protocol_version)]
    protocol_version: ProtocolVersion,
    /// The built registry contract that a new chain deploys.
    #[arg(long, default_value = "build/registry.wasm")]
    registry: PathBuf,
    /// Start a new chain without the registry contract.
    #[arg(long, conflicts_with = "registry")]
    no_registry: bool,
    /// `max_block_age` of the registry's init; the contract's default without it.
    #[arg(long)]
    max_block_age: Option<u64>,
    /// Blocks for which a transaction stays valid after the block it names.
    #[arg(long, value_name = "BLOCKS", default_value_t = 86_400)]
    validity: u64,
    /// Another account of a new chain with its balance, like alice.testnet=100. Repeatable.
    #[arg(long, value_name = "ACCOUNT=NEAR", value_parser = funded)]
    fund: Vec<(AccountId, Balance)>,
    #[command(flatten)]
    network: NetworkOptions,
    #[command(flatten)]
    faults: FaultOptions,
}

/// How the nodes behind the port know and treat the chain. Change it while the chain runs at
/// /admin/network.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
struct NetworkOptions {
    /// One kind node: every block is final, and look-ups tell what waits or was refused.
    #[arg(long)]
    simple: bool,
    /// Nodes behind the port; those without a --lag are up to date.
    #[arg(long, value_name = "NUMBER")]
    backends: Option<usize>,
    /// How many heights each node lags, like 0,3,8.
    #[arg(long, value_name = "HEIGHTS", value_delimiter = ',')]
    lag: Vec<u64>,
    /// The form of each node's answers, like older,newer: before nearcore 2.14 or since.
    #[arg(
        long = "rpc-dialect",
        value_name = "DIALECTS",
        value_enum,
        value_delimiter = ','
    )]
    dialect: Vec<RpcDialect>,
    /// How long a look-up waits for its level, like 10s.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    patience: Duration,
    /// Time-outs name no cause, as before nearcore 2.14.
    #[arg(long)]
    no_timeout_causes: bool,
    /// Share of heights that stay without a block, like 0.02.
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    skip_rate: f64,
    /// Share of accepted transactions that are lost silently.
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    drop_rate: f64,
    /// Further blocks that each receipt to another account takes.
    #[arg(long, value_name = "BLOCKS", default_value_t = 0)]
    receipt_blocks: u64,
    /// The highest gas price, as a multiple of the lowest; 1 keeps the price still.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    gas_price_factor: u64,
    /// Heights whose blocks and outcomes the nodes remember.
    #[arg(long, value_name = "HEIGHTS")]
    history: Option<u64>,
    /// Makes the choices of nodes, skipped heights, lost transactions and prices repeatable.
    #[arg(id = "network-seed", long = "seed", value_name = "NUMBER")]
    seed: Option<u64>,
}

impl NetworkOptions {
    fn settings(&self) -> Result<NetworkSettings, String> {
        let named = self.lag.len().max(self.dialect.len()).max(1);
        let backends = self.backends.unwrap_or(named);
        for (option, named) in [
            ("--lag", self.lag.len().max(1)),
            ("--rpc-dialect", self.dialect.len()),
        ] {
            if backends < named {
                return Err(format!(
                    "--backends is {backends}, and {option} names {named}"
                ));
            }
        }
        let mut lags = self.lag.clone();
        lags.resize(backends, 0);
        let mut dialects = self.dialect.clone();
        dialects.resize(backends, RpcDialect::default());
        let settings = NetworkSettings {
            simple: self.simple,
            lags,
            dialects,
            patience_ms: milliseconds(self.patience),
            timeout_causes: !self.no_timeout_causes,
            skip_rate: self.skip_rate,
            drop_rate: self.drop_rate,
            receipt_blocks: self.receipt_blocks,
            gas_price_factor: self.gas_price_factor,
            history: self.history,
            seed: self.seed,
        };
        settings.check().map_err(|error| error.to_string())?;
        Ok(settings)
    }
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

/// Faults injected into JSON-RPC. Change them while the chain runs at /admin/faults.
#[derive(Debug, Args)]
#[command(next_help_heading = "Faults")]
struct FaultOptions {
    /// Delay before each request, like 200ms.
    #[arg(long = "fault-latency", value_name = "TIME", default_value = "0ms", value_parser = duration)]
    latency: Duration,
    /// Share of requests answered with a server error (HTTP 500), like 0.1.
    #[arg(long = "fault-error-rate", value_name = "RATE", default_value_t = 0.0)]
    error_rate: f64,
    /// Share of requests answered with HTTP 429.
    #[arg(
        long = "fault-too-many-requests",
        value_name = "RATE",
        default_value_t = 0.0
    )]
    too_many_requests: f64,
    /// Share of requests answered with HTTP 403.
    #[arg(long = "fault-forbidden", value_name = "RATE", default_value_t = 0.0)]
    forbidden: f64,
    /// Share of requests answered with HTTP 408.
    #[arg(long = "fault-timeout", value_name = "RATE", default_value_t = 0.0)]
    timeout: f64,
    /// The body of answers with 403, 408 or 429.
    #[arg(long = "fault-body", value_enum, default_value_t)]
    body: FaultBody,
    /// Answers with 403, 408 or 429 have no CORS headers.
    #[arg(long = "fault-no-cors")]
    no_cors: bool,
    /// The header Retry-After of answers with 403, 408 or 429, like 2.
    #[arg(long = "fault-retry-after", value_name = "VALUE")]
    retry_after: Option<String>,
    /// Share of transactions refused with ShardCongested.
    #[arg(
        long = "fault-shard-congested",
        value_name = "RATE",
        default_value_t = 0.0
    )]
    shard_congested: f64,
    /// Share of transactions refused with ShardStuck.
    #[arg(long = "fault-shard-stuck", value_name = "RATE", default_value_t = 0.0)]
    shard_stuck: f64,
    /// Share of transaction look-ups that meet a node without the signer's shard.
    #[arg(long = "fault-untracked", value_name = "RATE", default_value_t = 0.0)]
    untracked: f64,
    /// Share of requests whose connection ends before the chain sees them.
    #[arg(long = "fault-refuse", value_name = "RATE", default_value_t = 0.0)]
    refuse: f64,
    /// Share of requests that run but whose connection ends without an answer.
    #[arg(long = "fault-lose-answer", value_name = "RATE", default_value_t = 0.0)]
    lose_answer: f64,
    /// The methods that faults affect, like send_tx,query; all methods without it.
    #[arg(long = "fault-methods", value_name = "METHODS", value_delimiter = ',')]
    methods: Option<Vec<String>>,
    /// Makes the sequence of faults repeatable.
    #[arg(long = "fault-seed", value_name = "NUMBER")]
    seed: Option<u64>,
}

impl From<&FaultOptions> for FaultSettings {
    fn from(options: &FaultOptions) -> Self {
        Self {
            latency_ms: milliseconds(options.latency),
            error_rate: options.error_rate,
            too_many_requests_rate: options.too_many_requests,
            forbidden_rate: options.forbidden,
            timeout_rate: options.timeout,
            shard_congested_rate: options.shard_congested,
            shard_stuck_rate: options.shard_stuck,
            untracked_rate: options.untracked,
            body: options.body,
            no_cors: options.no_cors,
            retry_after: options.retry_after.clone(),
            refuse_rate: options.refuse,
            lose_answer_rate: options.lose_answer,
            methods: options.methods.clone(),
            seed: options.seed,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct BlockTime(Option<Duration>);

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => return refuse_or_help(&error),
    };
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("warn,latchkey_devnet=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    let done = tokio::runtime::Runtime::new()
        .map_err(|error| format!("the program cannot start: {error}"))
        .and_then(|runtime| {
            let done = runtime.block_on(run(options));
            // Abandons work for which no client waits, such as ten thousand blocks.
            runtime.shutdown_timeout(CLOSING);
            done
        });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("latchkey-devnet: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the help if asked for, else one line that says what is wrong with the arguments.
fn refuse_or_help(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // An error here means that the reader closed the pipe.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    // Usage and hints follow after an empty line.
    let reason: Vec<&str> = text
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let reason = reason.join(" ");
    let reason = reason.strip_prefix("error: ").unwrap_or(&reason);
    eprintln!("latchkey-devnet: {reason}; --help tells more");
    ExitCode::FAILURE
}

async fn run(options: Options) -> Result<(), String> {
    let network = options.network.settings()?;
    let faults =
        Faults::new((&options.faults).into()).map_err(|error| format!("--fault: {error}"))?;
    let stop = stop_signal().map_err(|error| format!("signals cannot be handled: {error}"))?;
    // Bind the port first, so that a second program with the same options fails before it opens the
    // data folder.
    let listener = rpc::bind(options.port)
        .await
        .map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let keeps = options.data.is_some();
    let fresh = options.fresh;
    let config = config(options, network)?;
    // Remove the old chain only after every option of the new one is valid.
    if let (Some(folder), true) = (&config.data, fresh) {
        Chain::wipe(folder).map_err(|error| error.to_string())?;
    }
    let chain = tokio::task::spawn_blocking(|| Chain::open(config))
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    println!("listening on http://{address}");
    tokio::select! {
        served = rpc::serve(listener, chain.clone(), faults, stop) => {
            served.map_err(|error| error.to_string())
        }
        reason = chain.stopped() => Err(if keeps {
            format!("{reason}; --fresh begins a new chain")
        } else {
            reason
        }),
    }
}

fn config(options: Options, network: NetworkSettings) -> Result<ChainConfig, String> {
    let mut genesis = Genesis::default();
    for (account_id, balance) in options.fund {
        genesis = genesis.with_account(account_id, balance);
    }
    let goes_on = !options.fresh && options.data.as_deref().is_some_and(Chain::exists);
    if !options.no_registry && !goes_on {
        if options.registry.is_dir() {
            let path = options.registry.display();
            return Err(format!(
                "the registry contract {path} is a folder; name the .wasm file in it"
            ));
        }
        if !options.registry.is_file() {
            return Err(format!(
                "the registry contract {} does not exist; build it first, name one with --registry, or leave it out with --no-registry",
                options.registry.display()
            ));
        }
        genesis.registry = Some(RegistryGenesis {
            wasm: options.registry,
            max_block_age: options.max_block_age,
        });
    }
    Ok(ChainConfig {
        data: options.data,
        protocol_version: options.protocol_version,
        block_time: options.block_time.0,
        genesis,
        network,
        transaction_validity_blocks: options.validity,
    })
}

fn block_time(text: &str) -> Result<BlockTime, String> {
    if text == "manual" {
        return Ok(BlockTime(None));
    }
    let time = duration(text).map_err(|reason| format!("{reason}, or manual"))?;
    if time < Duration::from_millis(10) {
        return Err("blocks need at least 10ms".to_owned());
    }
    if time > MAX_BLOCK_TIME {
        return Err("blocks come at least every 3600s; choose manual for none".to_owned());
    }
    Ok(BlockTime(Some(time)))
}

fn protocol_version(text: &str) -> Result<ProtocolVersion, String> {
    let version = text
        .parse()
        .map_err(|_| "the protocol version is a whole number".to_owned())?;
    Chain::check_protocol_version(version).map_err(|error| error.to_string())?;
    Ok(version)
}

fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len()),
    );
    match (number.parse(), unit) {
        (Ok(number), "ms") => Ok(Duration::from_millis(number)),
        (Ok(number), "s") => Ok(Duration::from_secs(number)),
        _ => Err("write it like 600ms or 1s".to_owned()),
    }
}

fn funded(text: &str) -> Result<(AccountId, Balance), String> {
    let (id, near) = text
        .split_once('=')
        .ok_or("write it like alice.testnet=100")?;
    let id = id
        .parse()
        .map_err(|error| format!("{id} is not an account id: {error}"))?;
    let near: u64 = near
        .parse()
        .map_err(|_| "the balance is a whole number of NEAR".to_owned())?;
    if near > MAX_FUNDED {
        return Err(format!("an account gets at most {MAX_FUNDED} NEAR"));
    }
    Ok((id, Balance::from_near(near.into())))
}

/// Resolves at SIGINT or SIGTERM.
fn stop_signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
