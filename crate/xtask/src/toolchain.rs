//! Finds a compiler that can build for `wasm32-unknown-unknown`.
//!
//! Tried in this order: the target of the compiler in use; a compiler that comes with the sources of its
//! standard library, which is then built too; the target from rustup; Debian's compiler, installed as root.
//! A release is built with the sources first, rustup's are asked for: what a panic would have said and what `{:?}`
//! would print then stay out of the module.

use crate::process;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The one target that the web side loads.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// From this version on the compiler knows the flags of [`SMALL`].
const SMALL_MINOR: u32 = 92;

/// Leaves out what only a developer would read: texts of panics and their places, and the output of `{:?}`. And compiles
/// the functions that each row passes (`sg_hot`) for speed, the others, and `sha2`, for size.
const SMALL: &str = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none -Zfmt-debug=none --cfg=sg_hot \
    --cfg=sha2_backend_soft=\"compact\"";

/// The oldest compiler that builds the workspace, `rust-version` in `Cargo.toml`.
const OLDEST_MINOR: u32 = 90;

const HOW_TO_GET_ONE: &str = "no compiler for wasm32-unknown-unknown was found; install the target with
  rustup target add wasm32-unknown-unknown
or, on Debian without rustup's servers,
  apt-get install rustc-web rust-web-src";

/// A compiler and how it gets the standard library for wasm.
#[derive(Debug)]
pub(crate) enum Toolchain {
    /// The standard library is installed for the target.
    Ready(Compiler),
    /// The standard library has to be compiled from the sources beside the compiler.
    FromSource(FromSource),
}

/// A `rustc` with its version line.
#[derive(Debug)]
pub(crate) struct Compiler {
    pub(crate) path: PathBuf,
    pub(crate) version: String,
}

/// What building the standard library takes.
#[derive(Debug)]
pub(crate) struct FromSource {
    pub(crate) compiler: Compiler,
    pub(crate) linker: PathBuf,
}

impl Toolchain {
    /// The compiler of either kind.
    pub(crate) fn compiler(&self) -> &Compiler {
        match self {
            Self::Ready(compiler) => compiler,
            Self::FromSource(source) => &source.compiler,
        }
    }

    /// The start of a `cargo build` for the target; `small` for a module that is shipped.
    pub(crate) fn cargo_build(&self, small: bool) -> Command {
        let mut command = process::cargo();
        command
            .arg("build")
            .arg("--target")
            .arg(TARGET)
            .env("RUSTC", &self.compiler().path);
        if let Self::FromSource(source) = self {
            command
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &source.linker);
            if small && minor_version(&source.compiler.version) >= Some(SMALL_MINOR) {
                command
                    .arg("-Zbuild-std-features=optimize_for_size")
                    .env("RUSTFLAGS", SMALL);
            }
        }
        command
    }
}

/// Finds a toolchain, installing one if that is possible; `small` prefers one that builds the standard library.
pub(crate) fn find(small: bool) -> Result<Toolchain> {
    if let Some(path) = std::env::var_os("SG_RUSTC") {
        let path = PathBuf::from(path);
        return match ready(&path).or_else(|| from_source(&path)) {
            Some(toolchain) => Ok(toolchain),
            None => bail!(
                "SG_RUSTC={} has neither the target {TARGET} nor its sources",
                path.display()
            ),
        };
    }
    let in_use = rustc_in_use();
    if small
        && let Some(toolchain) =
            from_source(&in_use).or_else(|| sources_from_rustup().then(|| from_source(&in_use)).flatten())
    {
        return Ok(toolchain);
    }
    if let Some(toolchain) = ready(&in_use) {
        return Ok(toolchain);
    }
    let distribution = Path::new("/usr/bin/rustc");
    let with_sources = || from_source(&in_use).or_else(|| from_source(distribution));
    if let Some(toolchain) = with_sources() {
        return Ok(toolchain);
    }
    if target_from_rustup()
        && let Some(toolchain) = ready(&in_use)
    {
        return Ok(toolchain);
    }
    if compiler_from_debian()
        && let Some(toolchain) = with_sources()
    {
        return Ok(toolchain);
    }
    bail!("{HOW_TO_GET_ONE}")
}

/// The compiler that cargo would call. Rustup's stand-in for it is resolved, because the real one is asked
/// for its sysroot under several names.
fn rustc_in_use() -> PathBuf {
    match std::env::var_os("RUSTC") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from("rustc"),
    }
}

fn compiler(path: &Path) -> Option<Compiler> {
    let version = process::output(Command::new(path).arg("--version"))?;
    Some(Compiler {
        path: path.to_path_buf(),
        version,
    })
}

fn sysroot(path: &Path) -> Option<PathBuf> {
    process::output(Command::new(path).args(["--print", "sysroot"])).map(PathBuf::from)
}

fn ready(path: &Path) -> Option<Toolchain> {
    let library = sysroot(path)?.join("lib/rustlib").join(TARGET).join("lib");
    let installed = library.read_dir().ok()?.next().is_some();
    installed.then(|| compiler(path).map(Toolchain::Ready)).flatten()
}

fn from_source(path: &Path) -> Option<Toolchain> {
    let sysroot = sysroot(path)?;
    let compiler = compiler(path)?;
    if minor_version(&compiler.version)? < OLDEST_MINOR {
        return None;
    }
    let has_sources = sysroot
        .join("lib/rustlib/src/rust/library/std/Cargo.toml")
        .is_file();
    let linker = has_sources.then(|| linker(&sysroot)).flatten()?;
    Some(Toolchain::FromSource(FromSource { compiler, linker }))
}

/// `90` of `rustc 1.90.0 (…)`.
fn minor_version(version: &str) -> Option<u32> {
    version.split_whitespace().nth(1)?.split('.').nth(1)?.parse().ok()
}

/// LLVM's linker, from this toolchain, from the path, or from any toolchain of rustup.
fn linker(sysroot: &Path) -> Option<PathBuf> {
    linker_of(sysroot).or_else(|| {
        let on_path = std::env::var_os("PATH")?;
        let found = std::env::split_paths(&on_path)
            .map(|folder| folder.join("rust-lld"))
            .find(|p| p.is_file());
        found.or_else(|| {
            let rustup = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
            let rustup = rustup.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".rustup")))?;
            let mut toolchains: Vec<PathBuf> = rustup
                .join("toolchains")
                .read_dir()
                .ok()?
                .filter_map(|entry| Some(entry.ok()?.path()))
                .collect();
            toolchains.sort();
            toolchains.iter().rev().find_map(|toolchain| linker_of(toolchain))
        })
    })
}

fn linker_of(sysroot: &Path) -> Option<PathBuf> {
    let hosts = sysroot.join("lib/rustlib").read_dir().ok()?;
    hosts
        .filter_map(Result::ok)
        .map(|host| host.path().join("bin/rust-lld"))
        .find(|path| path.is_file())
}

fn target_from_rustup() -> bool {
    println!("The compiler has no {TARGET}; asking rustup for it.");
    process::run(Command::new("rustup").args(["target", "add", TARGET])).is_ok()
}

/// The sources of the standard library; nothing is lost where there is no rustup, or it cannot get them.
fn sources_from_rustup() -> bool {
    process::output(Command::new("rustup").args(["component", "add", "rust-src"])).is_some()
}

/// Debian's compiler for web builds and its sources; only where apt can be used without asking.
fn compiler_from_debian() -> bool {
    let is_root = process::output(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    if !is_root || !Path::new("/etc/debian_version").exists() {
        return false;
    }
    println!("Installing Debian's rustc-web and rust-web-src.");
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        process::run(&mut command).is_ok()
    };
    // rustc-web would replace an installed rustc; that is for its owner to decide.
    let install = [
        "install",
        "--yes",
        "--no-remove",
        "--no-install-recommends",
        "rustc-web",
        "rust-web-src",
    ];
    apt(&install) || (apt(&["update"]) && apt(&install))
}

#[cfg(test)]
mod tests {
    use super::minor_version;

    #[test]
    fn the_minor_version_stands_after_the_name() {
        assert_eq!(
            minor_version("rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)"),
            Some(96)
        );
        assert_eq!(minor_version("rustc 1.63.0"), Some(63));
        assert_eq!(minor_version("rustc"), None);
    }
}
