//! Compiles the engine to WebAssembly and writes `web/src/engine/pkg/`.

use crate::process;
use crate::toolchain::{self, TARGET, Toolchain};
use anyhow::{Context, Result, bail};
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// What the module is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Quick to build, with debug assertions and names.
    Debug,
    /// Small and fast: link-time optimisation and `wasm-opt`.
    Release,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Release => "release",
        }
    }

    /// Cargo's profile, which is also the folder below the target.
    fn profile(self) -> &'static str {
        match self {
            Self::Debug => "wasm-dev",
            Self::Release => "release",
        }
    }
}

/// What of the repository decides the bytes of the module.
const INPUTS: [&str; 6] = [
    "Cargo.toml",
    "Cargo.lock",
    "crate",
    "package-lock.json",
    FIRST_CALLS,
    "static/scenarios",
];

/// What a page asks the engine for first, as a program: what is called then makes the first part of the module.
const FIRST_CALLS: &str = "web/scripts/first-calls.mjs";

/// Crates below `crate` that are not linked into the module.
const NOT_LINKED: [&str; 2] = ["crate/cli", "crate/xtask"];

/// The file in the package that says which inputs it was made of.
const STAMP: &str = ".inputs";

/// The module in the package.
const MODULE: &str = "sg_bg.wasm";

/// Features that Rust's own output uses and every browser of the last years knows.
const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Builds the package, unless the one that is there was made of the same inputs.
#[expect(
    clippy::disallowed_methods,
    reason = "how long a build takes is told to the person who waits"
)]
pub(crate) fn build(root: &Path, mode: Mode) -> Result<()> {
    let package = root.join("web/src/engine/pkg");
    let toolchain = toolchain::find(mode == Mode::Release)?;
    let stamp = format!(
        "{} {} {:016x}\n",
        mode.name(),
        toolchain.compiler().version,
        inputs_hash(root)?
    );
    if fs::read_to_string(package.join(STAMP)).is_ok_and(|old| old == stamp) {
        println!("wasm: unchanged ({})", mode.name());
        return Ok(());
    }
    let started = SystemTime::now();
    let module = compile(root, mode, &toolchain)?;
    let fresh = process::target_folder(root).join("wasm/pkg");
    process::remove_folder(&fresh)?;
    write_bindings(root, mode, &module, &fresh)?;
    fs::write(fresh.join("zones.bin"), sg_value::time::zones_file())?;
    fs::write(fresh.join("texts.bin"), sg_sql::texts_file(&sg_expr::help_file()))?;
    if mode == Mode::Release {
        optimize(root, &fresh.join(MODULE))?;
        split(root, &fresh)?;
    }
    fs::write(fresh.join(STAMP), stamp)?;
    replace_folder(&fresh, &package)?;
    report(
        &package,
        mode,
        &toolchain,
        started.elapsed().unwrap_or(Duration::ZERO),
    )
}

fn compile(root: &Path, mode: Mode, toolchain: &Toolchain) -> Result<PathBuf> {
    // A folder of its own: another compiler and other flags would throw out what the native build made.
    let target = process::target_folder(root).join("wasm").join(mode.name());
    let mut command = toolchain.cargo_build(mode == Mode::Release);
    command
        .current_dir(root)
        .args(["--package", "sg_wasm", "--profile", mode.profile()])
        .env("CARGO_TARGET_DIR", &target);
    process::run(&mut command)?;
    let module = target.join(TARGET).join(mode.profile()).join("sg_wasm.wasm");
    if !module.is_file() {
        bail!("cargo wrote no {}", module.display());
    }
    Ok(module)
}

fn write_bindings(root: &Path, mode: Mode, module: &Path, package: &Path) -> Result<()> {
    let mut command = bindings(root);
    command.arg("bind").args([module, package]).arg(mode.name());
    process::run(&mut command).context(
        "the generator's version in crate/xtask/bindings/Cargo.toml has to be that of wasm-bindgen in Cargo.lock",
    )
}

/// The program beside this one that knows the format of a module.
fn bindings(root: &Path) -> Command {
    let mut command = process::cargo();
    command
        .args(["run", "--quiet", "--locked", "--manifest-path"])
        .arg(root.join("crate/xtask/bindings/Cargo.toml"))
        .arg("--")
        .env("CARGO_TARGET_DIR", process::target_folder(root));
    command
}

/// Runs binaryen, which npm installs as a JavaScript program, to make the module small.
fn optimize(root: &Path, module: &Path) -> Result<()> {
    let tool = root.join("node_modules/binaryen/bin/wasm-opt");
    if !tool.is_file() {
        bail!("wasm-opt is missing: run `npm ci` first");
    }
    let mut command = Command::new("node");
    command
        .arg(&tool)
        .arg(module)
        .arg("-o")
        .arg(module)
        // The second round finds what the first made equal.
        .args(["-Os", "-Os"])
        // A function that is called in one place stays one if it is not small: many of them are arms of a large match, like
        // neighbours compress well, and a browser compiles only those that a script reaches.
        .args(["--one-caller-inline-max-function-size", "20"])
        // The stack lies lowest, and no object of Rust in its last kilobyte. `--ignore-implicit-traps` is not for us: it makes
        // loads unconditional that Rust guards.
        .arg("--low-memory-unused")
        .args(WASM_FEATURES);
    process::run(&mut command)
}

/// Cuts the module in two: what a page's first calls reach, and the rest.
fn split(root: &Path, package: &Path) -> Result<()> {
    let (module, profiling) = (package.join(MODULE), package.join("profiling.wasm"));
    let called = package.join("called.txt");
    process::run(bindings(root).arg("profile").args([&module, &profiling]))?;
    let mut calls = Command::new("node");
    calls
        .arg(root.join(FIRST_CALLS))
        .args([package, &profiling, &called]);
    process::run(&mut calls)?;
    process::run(bindings(root).arg("split").args([&module, &called, &module]))?;
    fs::remove_file(profiling)?;
    fs::remove_file(called)?;
    Ok(())
}

fn replace_folder(fresh: &Path, package: &Path) -> Result<()> {
    fs::create_dir_all(package)?;
    for entry in fs::read_dir(fresh)? {
        let entry = entry?;
        // Written beside and renamed, so that a server that watches the folder never reads half a module.
        let beside = package.join(format!(".{}", entry.file_name().display()));
        fs::copy(entry.path(), &beside)?;
        fs::rename(&beside, package.join(entry.file_name()))?;
    }
    Ok(())
}

fn report(package: &Path, mode: Mode, toolchain: &Toolchain, took: Duration) -> Result<()> {
    let bytes = fs::metadata(package.join(MODULE))?.len();
    let library = match toolchain {
        Toolchain::Ready(_) => "installed target",
        Toolchain::FromSource(_) => "standard library from source",
    };
    println!(
        "wasm: {} kB, {}, {}, {library}, {:.1} s",
        bytes / 1000,
        mode.name(),
        toolchain.compiler().version,
        took.as_secs_f64(),
    );
    Ok(())
}

/// A hash of names and contents of all inputs; it changes whenever the module could.
fn inputs_hash(root: &Path) -> Result<u64> {
    let mut files = Vec::new();
    for input in INPUTS {
        collect(&root.join(input), root, &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let content = fs::read(&file).with_context(|| file.display().to_string())?;
        hasher.write(file.strip_prefix(root)?.as_os_str().as_encoded_bytes());
        hasher.write_usize(content.len());
        hasher.write(&content);
    }
    Ok(hasher.finish())
}

fn collect(path: &Path, root: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if NOT_LINKED.iter().any(|folder| path == root.join(folder)) {
        return Ok(());
    }
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), root, files)?;
        }
    } else if path.is_file() {
        files.push(path.to_path_buf());
    }
    Ok(())
}
