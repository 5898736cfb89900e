//! The interpreter of functions of scripts outside a browser: `QuickJS`, closed in by the same prelude as in the worker of
//! a page (`web/src/engine/scripts.ts`). Never part of the wasm module.

use std::{
    cell::Cell,
    rc::Rc,
    time::{Duration, Instant},
};

use rquickjs::{
    Coerced, Context, Ctx, Function, Object, Persistent, Runtime, Value, context::EvalOptions, function::Opt,
};
use sg_expr::script::ScriptHost;

/// What both interpreters run before any function.
const PRELUDE: &str = include_str!("prelude.js");
/// Bytes that all functions together may have.
const MEMORY: usize = 64 << 20;
/// Bytes of stack.
const STACK: usize = 256 << 10;
/// How often a call may be asked whether it goes on; `QuickJS` asks every 10 000 loops and calls.
const ASKED: u32 = 1000;
/// How long a call may last where it is not asked often enough.
const LASTS: Duration = Duration::from_secs(5);

/// Installs an interpreter for this thread; `Err` says why there is none.
pub fn install() -> Result<(), String> {
    let host = QuickJs::new().map_err(|error| error.to_string())?;
    sg_expr::script::install(Rc::new(host));
    Ok(())
}

/// What is left of a call's time.
struct Budget {
    asked: Cell<u32>,
    until: Cell<Option<Instant>>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "what QuickJS does not count ends by the clock; no result depends on it"
)]
impl Budget {
    fn begin(&self) {
        self.asked.set(0);
        self.until.set(Instant::now().checked_add(LASTS));
    }

    fn is_spent(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() > ASKED || self.until.get().is_some_and(|until| Instant::now() > until)
    }
}

struct QuickJs {
    budget: Rc<Budget>,
    define: Persistent<Function<'static>>,
    call: Persistent<Function<'static>>,
    compile: Persistent<Function<'static>>,
    /// Behind what lives in it, so that it goes last.
    context: Context,
}

impl QuickJs {
    fn new() -> rquickjs::Result<Self> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(STACK);
        let budget = Rc::new(Budget {
            asked: Cell::new(0),
            until: Cell::new(None),
        });
        let asked = Rc::clone(&budget);
        runtime.set_interrupt_handler(Some(Box::new(move || asked.is_spent())));
        let context = Context::full(&runtime)?;
        let (define, call, compile) = context.with(|ctx| {
            same_maths(&ctx)?;
            let api: Object<'_> = ctx.eval(PRELUDE)?;
            let compile = Function::new(ctx.clone(), compiled)?;
            rquickjs::Result::Ok((
                Persistent::save(&ctx, api.get::<_, Function<'_>>("define")?),
                Persistent::save(&ctx, api.get::<_, Function<'_>>("call")?),
                Persistent::save(&ctx, compile),
            ))
        })?;
        Ok(Self {
            budget,
            define,
            call,
            compile,
            context,
        })
    }

    /// Runs something within the limits; what no JavaScript can catch is the end of a call's time.
    fn run(&self, run: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<String>) -> String {
        self.budget.begin();
        self.context.with(|ctx| {
            run(&ctx).unwrap_or_else(|_error| {
                drop(ctx.catch());
                let limit = if self.budget.asked.get() > ASKED {
                    "steps"
                } else {
                    "seconds"
                };
                format!("{{\"failed\":{{\"name\":\"Interrupted\",\"message\":\"{limit}\",\"line\":0,\"column\":0}}}}")
            })
        })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "JavaScript hands both over")]
fn compiled(ctx: Ctx<'_>, source: String) -> rquickjs::Result<Value<'_>> {
    let mut options = EvalOptions::default();
    options.filename = Some("<function>".to_owned());
    ctx.eval_with_options(source, options)
}

type Maths = fn(f64) -> f64;

/// Functions of numbers whose last bit differs from platform to platform are those of the engine.
fn same_maths(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    const ONE: [(&str, Maths); 20] = [
        ("acos", libm::acos),
        ("acosh", libm::acosh),
        ("asin", libm::asin),
        ("asinh", libm::asinh),
        ("atan", libm::atan),
        ("atanh", libm::atanh),
        ("cbrt", libm::cbrt),
        ("cos", libm::cos),
        ("cosh", libm::cosh),
        ("exp", libm::exp),
        ("expm1", libm::expm1),
        ("log", libm::log),
        ("log10", libm::log10),
        ("log1p", libm::log1p),
        ("log2", libm::log2),
        ("sin", libm::sin),
        ("sinh", libm::sinh),
        ("sqrt", libm::sqrt),
        ("tan", libm::tan),
        ("tanh", libm::tanh),
    ];
    let maths: Object<'_> = ctx.globals().get("Math")?;
    for (name, compute) in ONE {
        let function = Function::new(ctx.clone(), move |number: Opt<Coerced<f64>>| {
            compute(number.0.map_or(f64::NAN, |number| number.0))
        })?;
        maths.set(name, function)?;
    }
    Ok(())
}

impl ScriptHost for QuickJs {
    fn define(&self, source: &str) -> String {
        self.run(|ctx| {
            let define = self.define.clone().restore(ctx)?;
            define.call((source, self.compile.clone().restore(ctx)?))
        })
    }

    fn call(&self, id: u32, method: &str, arguments: &str) -> String {
        self.run(|ctx| self.call.clone().restore(ctx)?.call((id, method, arguments)))
    }
}

#[cfg(test)]
mod tests;
