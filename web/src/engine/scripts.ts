/**
 * The interpreter of functions of scripts in a page: QuickJS, compiled to WebAssembly. A file of its own, which loads only
 * when a script creates a function. The page's own JavaScript never runs a function's text.
 */

import variant from '@jitl/quickjs-wasmfile-release-sync';
import wasmUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import prelude from '../../../crate/script/src/prelude.js?raw';

/** The two calls that the engine makes; answers are JSON texts (`ScriptHost` of the engine). */
export interface ScriptHost {
  define(source: string): string;
  call(id: number, method: string, args: string): string;
}

/** Limits, the same as those of the command line (`crate/script`). */
const MEMORY = 64 * 1024 * 1024;
const STACK = 256 * 1024;
const ASKED = 1000;
const LASTS_MS = 5000;

/** Starts an interpreter. */
export async function startScripts(): Promise<ScriptHost> {
  const located = newVariant(variant, { wasmLocation: wasmUrl });
  const quickjs = await newQuickJSWASMModuleFromVariant(located);
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(MEMORY);
  runtime.setMaxStackSize(STACK);
  let asked = 0;
  // Nothing ends while the prelude runs.
  let until = Number.POSITIVE_INFINITY;
  runtime.setInterruptHandler(() => {
    asked += 1;
    return asked > ASKED || performance.now() > until;
  });
  const context = runtime.newContext();
  const api = context.unwrapResult(context.evalCode(prelude, 'prelude.js'));
  const define = context.getProp(api, 'define');
  const call = context.getProp(api, 'call');
  const compile = context.newFunction('compile', (source) =>
    context.evalCode(context.getString(source), '<function>'),
  );

  const run = (callee: QuickJSHandle, make: () => QuickJSHandle[]): string => {
    asked = 0;
    until = performance.now() + LASTS_MS;
    const args = make();
    try {
      return answered(context, context.callFunction(callee, context.undefined, args), () =>
        asked > ASKED ? 'steps' : 'seconds',
      );
    } finally {
      for (const arg of args) if (arg !== compile) arg.dispose();
    }
  };
  return {
    define: (source) => run(define, () => [context.newString(source), compile]),
    call: (id, method, args) =>
      run(call, () => [context.newNumber(id), context.newString(method), context.newString(args)]),
  };
}

/** The text that came back; what no JavaScript catches is the end of a call's time. */
function answered(
  context: QuickJSContext,
  result: ReturnType<QuickJSContext['callFunction']>,
  limit: () => string,
): string {
  if (result.error === undefined) {
    const text = context.getString(result.value);
    result.value.dispose();
    return text;
  }
  result.error.dispose();
  const failed = { name: 'Interrupted', message: limit(), line: 0, column: 0 };
  return JSON.stringify({ failed });
}
