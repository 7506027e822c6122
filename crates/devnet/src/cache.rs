//! The store of compiled contracts.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use near_vm_runner::{FilesystemContractRuntimeCache, noop_background_spawner};

/// Compiled contracts kept in memory.
const LOADED: usize = 64;
/// Bytes of compiled contracts on disk: 1 GiB.
const MAX_BYTES: u64 = 1 << 30;

static SHARED: Mutex<Weak<TemporaryFolder>> = Mutex::new(Weak::new());

/// The store of compiled contracts. Keeps its temporary folder alive.
pub(crate) struct CompiledContracts {
    pub(crate) cache: FilesystemContractRuntimeCache,
    _folder: Option<Arc<TemporaryFolder>>,
}

impl CompiledContracts {
    /// Opens the store in the chain's data folder, where the next start finds it.
    pub(crate) fn in_folder(folder: &Path) -> std::io::Result<Self> {
        Ok(Self {
            cache: open(folder)?,
            _folder: None,
        })
    }

    /// Opens the store in a temporary folder, which all chains of this process share. Dropping the last
    /// one removes the folder.
    pub(crate) fn temporary() -> std::io::Result<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = shared.upgrade() {
            return Ok(Self {
                cache: folder.cache.clone(),
                _folder: Some(folder),
            });
        }
        let folder = Arc::new(TemporaryFolder::create()?);
        *shared = Arc::downgrade(&folder);
        Ok(Self {
            cache: folder.cache.clone(),
            _folder: Some(folder),
        })
    }
}

fn open(folder: &Path) -> std::io::Result<FilesystemContractRuntimeCache> {
    FilesystemContractRuntimeCache::with_memory_cache(
        folder,
        None::<&Path>,
        "compiled-contracts",
        LOADED,
        None,
        MAX_BYTES,
        noop_background_spawner(),
    )
}

struct TemporaryFolder {
    path: PathBuf,
    cache: FilesystemContractRuntimeCache,
}

impl TemporaryFolder {
    /// Creates a folder that only this user may enter, because the chain runs compiled code without
    /// checking it.
    fn create() -> std::io::Result<Self> {
        use std::os::unix::fs::DirBuilderExt;
        let nanos = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        let path =
            std::env::temp_dir().join(format!("latchkey-devnet-{}-{nanos}", std::process::id()));
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        let cache = open(&path)?;
        Ok(Self { path, cache })
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.path) {
            tracing::debug!(%error, "the temporary folder of compiled contracts stays");
        }
    }
}
