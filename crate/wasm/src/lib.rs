//! WebAssembly bindings around the engine's session: each export is a conversion, a call, a conversion.

use std::rc::Rc;

use js_sys::{Function, JSON, Object, Reflect, Uint8Array};
use serde::Serialize;
use sg_engine::bulk::Run;
use sg_engine::stream::FileRun;
use sg_engine::{Session, StateAt, dto};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// The engine of a page.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Engine {
    session: Session,
    bulk: Option<Run>,
    file: Option<FileRun>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without workspaces. A panic, which is a bug, is printed to the console before it traps.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        console_error_panic_hook::set_once();
        Self::default()
    }

    /// Takes the time zones, the file `zones.bin` beside the module; without them there is only UTC and `GMT+…`.
    pub fn install_zones(&self, file: &str) {
        sg_engine::install_zones(file);
    }

    /// Takes the texts, the file `texts.bin` beside the module, before anything else is asked; without them messages are
    /// their codes' names.
    pub fn install_texts(&self, file: &str) {
        sg_engine::install_texts(file);
    }

    /// Installs the interpreter of functions of scripts: `define(source)` and `call(id, method, arguments)`, which give JSON
    /// texts.
    pub fn install_scripts(&self, define: Function, call: Function) {
        sg_engine::install_scripts(Rc::new(Scripts { define, call }));
    }

    /// The project's version.
    pub fn version(&self) -> String {
        sg_engine::VERSION.to_owned()
    }

    /// Diagnostics, tokens, lenses and literals of a script (`Analysis`).
    pub fn analyze(&self, script: &str) -> Result<JsValue, JsError> {
        object(&sg_engine::analyze(script))
    }

    /// The same at once, before anything is planned: no lenses, diagnostics of parsing and binding (`Analysis`).
    pub fn check(&self, script: &str) -> Result<JsValue, JsError> {
        object(&sg_engine::check(script))
    }

    /// Completions at a UTF-16 offset (`Completion[]`).
    pub fn complete(&self, script: &str, offset: u32) -> Result<JsValue, JsError> {
        object(&sg_engine::complete(script, offset))
    }

    /// Help for the word at a UTF-16 offset (`Hover | null`).
    pub fn hover(&self, script: &str, offset: u32) -> Result<JsValue, JsError> {
        object(&sg_engine::hover(script, offset))
    }

    /// Opens a workspace from the JSON text of a `Workspace` (`Opened`).
    pub fn open(&mut self, workspace: u32, json: &str) -> Result<JsValue, JsError> {
        object(
            &self
                .session
                .open(workspace, json)
                .map_err(|text| refused(&text))?,
        )
    }

    /// Replays up to `slots` more arrivals (`Advanced`).
    pub fn advance(&mut self, workspace: u32, slots: u32) -> Result<JsValue, JsError> {
        let mut frames = Vec::new();
        let progress = self.session.advance(workspace, slots, &mut frames);
        let answer = Object::new();
        let put = |name: &str, value: JsValue| {
            Reflect::set(&answer, &JsValue::from_str(name), &value).map_err(|_error| JsError::new(name))
        };
        put("frames", Uint8Array::from(frames.as_slice()).into())?;
        put("done", JsValue::from_bool(progress.done))?;
        put("generation", JsValue::from(progress.generation))?;
        Ok(answer.into())
    }

    /// Changes a workspace by the JSON text of an `Edit` (`Edited`).
    pub fn edit(&mut self, workspace: u32, json: &str) -> Result<JsValue, JsError> {
        object(
            &self
                .session
                .edit(workspace, json)
                .map_err(|text| refused(&text))?,
        )
    }

    /// A page of keyed state (`StatePage`); `at` is `[query, slots, operator, handle]`.
    pub fn state(&mut self, workspace: u32, at: &[u32], offset: u32, limit: u32) -> Result<JsValue, JsError> {
        let [query, slots, operator, handle] = *at else {
            return Err(JsError::new("state takes four numbers"));
        };
        object(&self.session.state(
            workspace,
            StateAt {
                query,
                slots,
                operator,
                handle,
            },
            offset,
            limit,
        ))
    }

    /// The cards of the Why? panel (`WhyCard[]`).
    pub fn why(&mut self, workspace: u32, query: u32, slots: u32) -> Result<JsValue, JsError> {
        object(&self.session.why(workspace, query, slots))
    }

    /// The state bills (`StateBill[]`).
    pub fn bill(&mut self, workspace: u32, query: u32, slots: u32) -> Result<JsValue, JsError> {
        object(&self.session.bill(workspace, query, slots))
    }

    /// What the query's changes have led to behind it (`Downstream`).
    pub fn downstream(&mut self, workspace: u32, query: u32, slots: u32) -> Result<JsValue, JsError> {
        object(&self.session.downstream(workspace, query, slots))
    }

    /// The plans of a script as EXPLAIN prints them; throws the diagnostics as text where it is refused.
    pub fn explain(&self, script: &str) -> Result<String, JsError> {
        sg_engine::explain(script).map_err(|text| JsError::new(&text))
    }

    /// Forgets a workspace.
    pub fn close(&mut self, workspace: u32) {
        self.session.close(workspace);
    }

    /// Makes the queries of a workspace, as JSON text, ready for the lines of a file that are rows of `table`: with
    /// `delimiter` separated values, of which the first line may have the names, else JSON.
    #[wasm_bindgen(js_name = fileOpen)]
    pub fn file_open(
        &mut self,
        json: &str,
        table: &str,
        delimiter: &str,
        names: bool,
    ) -> Result<(), JsError> {
        self.file = None;
        let run = FileRun::open(json, table, delimiter.chars().next(), names);
        self.file = Some(run.map_err(|text| refused(&text))?);
        Ok(())
    }

    /// Runs the next bytes of the file.
    #[wasm_bindgen(js_name = filePush)]
    pub fn file_push(&mut self, bytes: &[u8]) {
        if let Some(run) = &mut self.file {
            run.push(bytes);
        }
    }

    /// Ends the file: windows that are still open fire.
    #[wasm_bindgen(js_name = fileEnd)]
    pub fn file_end(&mut self) {
        if let Some(run) = &mut self.file {
            run.end();
        }
    }

    /// How far the file is (`FileProgress | null`), with at most `most` rows of each result.
    #[wasm_bindgen(js_name = fileLook)]
    pub fn file_look(&self, most: u32) -> Result<JsValue, JsError> {
        object(&self.file.as_ref().map(|run| run.look(most as usize)))
    }

    /// Forgets the file.
    #[wasm_bindgen(js_name = fileClose)]
    pub fn file_close(&mut self) {
        self.file = None;
    }

    /// Makes the rows of a bulk run ready: a query over `events (k BIGINT, v BIGINT, ts TIMESTAMP(3))`, number of rows and
    /// of keys (0: each row its own), trace on or off.
    #[wasm_bindgen(js_name = bulkOpen)]
    pub fn bulk_open(&mut self, sql: &str, rows: u32, keys: u32, traced: bool) -> Result<(), JsError> {
        self.bulk = None;
        self.bulk = Some(Run::new(sql, rows, keys, traced).map_err(|text| JsError::new(&text))?);
        Ok(())
    }

    /// Runs all rows of the bulk run, one a push; gives the number of changes that reached the sink.
    #[wasm_bindgen(js_name = bulkRun)]
    pub fn bulk_run(&mut self) -> Result<f64, JsError> {
        let Some(run) = &mut self.bulk else {
            return Err(JsError::new("no bulk run is open"));
        };
        run.all().map_err(|text| JsError::new(&text))?;
        Ok(count(run.emitted()))
    }

    /// The rows of the bulk run as numbers: `[k, v, ts]` with `ts` in milliseconds since the epoch, one after
    /// the other.
    #[wasm_bindgen(js_name = bulkInput)]
    pub fn bulk_input(&self) -> Result<Vec<f64>, JsError> {
        let run = self
            .bulk
            .as_ref()
            .ok_or_else(|| JsError::new("no bulk run is open"))?;
        Ok(run.input().into_iter().map(number).collect())
    }

    /// Runs all rows of the bulk run, one a push; gives the rows that the changelog leaves, sorted, as numbers.
    #[wasm_bindgen(js_name = bulkTable)]
    pub fn bulk_table(&mut self) -> Result<Vec<f64>, JsError> {
        let run = self
            .bulk
            .as_mut()
            .ok_or_else(|| JsError::new("no bulk run is open"))?;
        let rows = run.table().map_err(|text| JsError::new(&text))?;
        Ok(rows.concat().into_iter().map(number).collect())
    }

    /// Bytes of trace that the bulk run has written.
    #[wasm_bindgen(js_name = bulkFrameBytes)]
    pub fn bulk_frame_bytes(&self) -> f64 {
        self.bulk.as_ref().map_or(0.0, |run| count(run.frame_bytes()))
    }
}

/// An interpreter that runs beside the module.
struct Scripts {
    define: Function,
    call: Function,
}

impl sg_engine::ScriptHost for Scripts {
    fn define(&self, source: &str) -> String {
        let answer = self.define.call1(&JsValue::NULL, &JsValue::from_str(source));
        answer.ok().and_then(|text| text.as_string()).unwrap_or_default()
    }

    fn call(&self, id: u32, method: &str, arguments: &str) -> String {
        let (method, arguments) = (JsValue::from_str(method), JsValue::from_str(arguments));
        let answer = self
            .call
            .call3(&JsValue::NULL, &JsValue::from(id), &method, &arguments);
        answer.ok().and_then(|text| text.as_string()).unwrap_or_default()
    }
}

/// A count as JavaScript's number; counts stay far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
const fn count(number: u64) -> f64 {
    number as f64
}

/// The same for a cell of a bulk run.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts, sums and milliseconds of bulk runs stay far below 2^53"
)]
const fn number(cell: i64) -> f64 {
    cell as f64
}

/// Crosses as one text: the page's reader of JSON makes a thousand small objects in a fraction of the time that as many
/// calls into the page take.
fn object<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value).map_err(|error| JsError::new(&error.to_string()))?;
    JSON::parse(&text).map_err(|_thrown| JsError::new("no JSON"))
}

fn refused(text: &dto::Bilingual) -> JsError {
    JsError::new(&text.en)
}
