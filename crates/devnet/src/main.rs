//! `latchkey-devnet`: a local NEAR chain behind the JSON-RPC of a node.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use latchkey_devnet::{Chain, ChainConfig, Genesis, RegistryGenesis, rpc};
use near_primitives::types::{AccountId, Balance};
use near_primitives::version::PROTOCOL_VERSION;
use tracing_subscriber::EnvFilter;

/// NEAR that one account may start with: a hundred such accounts still fit a balance.
const MAX_FUNDED: u64 = 1_000_000_000_000;

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
    /// Folder that keeps the chain over runs; without it the chain lives in memory.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Wipe the data folder's chain before starting.
    #[arg(long, requires = "data")]
    fresh: bool,
    /// Time between blocks, like 600ms or 1s; `manual` makes none.
    #[arg(long, default_value = "600ms", value_parser = block_time)]
    block_time: BlockTime,
    /// Protocol version whose rules and prices hold, 84 to 88.
    #[arg(long, default_value_t = PROTOCOL_VERSION)]
    protocol_version: u32,
    /// The built registry contract that a fresh chain deploys.
    #[arg(long, default_value = "build/registry.wasm")]
    registry: PathBuf,
    /// Start a fresh chain without the registry contract.
    #[arg(long, conflicts_with = "registry")]
    no_registry: bool,
    /// `max_block_age` of the registry's init; its own default when absent.
    #[arg(long)]
    max_block_age: Option<u64>,
    /// A further account of a fresh chain with its balance, like alice.testnet=100. Repeatable.
    #[arg(long, value_name = "ACCOUNT=NEAR", value_parser = funded)]
    fund: Vec<(AccountId, Balance)>,
}

#[derive(Debug, Clone, Copy)]
struct BlockTime(Option<Duration>);

fn main() -> ExitCode {
    let options = Options::parse();
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("warn,latchkey_devnet=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    let done = tokio::runtime::Runtime::new()
        .map_err(|error| format!("the program cannot start: {error}"))
        .and_then(|runtime| runtime.block_on(run(options)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("latchkey-devnet: {sentence}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: Options) -> Result<(), String> {
    let stop = stop_signal().map_err(|error| format!("signals cannot be handled: {error}"))?;
    // The port first: two programs started alike should not both open the data folder.
    let listener = rpc::bind(options.port)
        .await
        .map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    if let (Some(folder), true) = (&options.data, options.fresh) {
        Chain::wipe(folder).map_err(|error| error.to_string())?;
    }
    let config = config(options)?;
    let chain = tokio::task::spawn_blocking(|| Chain::open(config))
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    println!("listening on http://{address}");
    rpc::serve(listener, chain, stop)
        .await
        .map_err(|error| error.to_string())
}

fn config(options: Options) -> Result<ChainConfig, String> {
    let mut genesis = Genesis::default();
    for (account_id, balance) in options.fund {
        genesis = genesis.with_account(account_id, balance);
    }
    let exists = options.data.as_deref().is_some_and(Chain::exists);
    if !options.no_registry && !exists {
        if !options.registry.is_file() {
            return Err(format!(
                "the registry contract {} does not exist; build it first, or name one with --registry",
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
        ..ChainConfig::default()
    })
}

fn block_time(text: &str) -> Result<BlockTime, String> {
    if text == "manual" {
        return Ok(BlockTime(None));
    }
    let (number, unit) = text.split_at(
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len()),
    );
    let number: u64 = number
        .parse()
        .map_err(|_| "write it like 600ms, 1s or manual".to_owned())?;
    let duration = match unit {
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        _ => return Err("write it like 600ms, 1s or manual".to_owned()),
    };
    if duration < Duration::from_millis(10) {
        return Err("blocks need at least 10ms".to_owned());
    }
    Ok(BlockTime(Some(duration)))
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
