// Runs once in the interpreter, before any function of a script: takes away what differs from run to run, freezes what is
// left, and gives the host two functions. Both answer with JSON text: what was asked for, or `{"failed": …}`.
(() => {
  'use strict';
  const missing = (what) => () => {
    throw new TypeError(`${what} is not there: a function gives the same result on every replay`);
  };
  for (const name of ['performance', 'WeakRef', 'FinalizationRegistry', 'Atomics', 'SharedArrayBuffer', 'queueMicrotask']) {
    delete globalThis[name];
  }
  Math.random = missing('Math.random()');

  // Dates know only UTC, and no present.
  const Real = Date;
  const zoned = /(?:Z|[+-]\d\d:?\d\d|GMT|UTC)$/i;
  const iso = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/;
  const parse = (text) => {
    const trimmed = String(text).trim();
    if (zoned.test(trimmed)) return Real.parse(trimmed.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'));
    if (!iso.test(trimmed)) return Number.NaN;
    return Real.parse(trimmed.length > 10 ? `${trimmed.replace(' ', 'T')}Z` : trimmed);
  };
  const noNow = missing('The present time');
  class Fixed extends Real {
    constructor(...parts) {
      if (parts.length === 0) noNow();
      const [first] = parts;
      super(parts.length > 1 ? Real.UTC(...parts) : typeof first === 'string' ? parse(first) : first);
    }
  }
  Object.defineProperties(Fixed, { now: { value: noNow }, parse: { value: parse } });
  for (const name of Object.getOwnPropertyNames(Real.prototype)) {
    const utc = /^([gs]et)UTC(.*)$/.exec(name);
    if (utc !== null) Real.prototype[utc[1] + utc[2]] = Real.prototype[name];
    if (/^to(?:Locale)?(?:Date|Time)?String$/.test(name)) Real.prototype[name] = Real.prototype.toISOString;
  }
  Real.prototype.getTimezoneOffset = () => 0;
  delete Real.prototype.getYear;
  delete Real.prototype.setYear;
  Real.prototype.constructor = Fixed;
  Object.defineProperty(globalThis, 'Date', { value: Fixed });

  // What one call leaves behind, no other call sees.
  const frozen = new Set();
  const freeze = (thing) => {
    if (thing === null || (typeof thing !== 'object' && typeof thing !== 'function') || frozen.has(thing)) return;
    frozen.add(thing);
    for (const key of Reflect.ownKeys(thing)) {
      const property = Reflect.getOwnPropertyDescriptor(thing, key);
      freeze(property.value);
      freeze(property.get);
      freeze(property.set);
    }
    freeze(Reflect.getPrototypeOf(thing));
    Object.freeze(thing);
  };
  const evaluate = globalThis.eval;
  const { parse: parseJson, stringify } = JSON;
  const hidden = [function* () {}, async () => {}, async function* () {}, [].values(), new Map().keys(), new Set().keys(), ''.matchAll(/x/g), ''[Symbol.iterator]()];
  for (const thing of [globalThis, ...hidden]) freeze(thing);

  const BODY = "(function () { 'use strict'; ";
  const VALUE = `${BODY}return (`;
  const exported = /^([ \t]*)export[ \t]+default\b/m;
  // The functions read last; an older one is read again when it is called.
  const KEPT = 256;
  const made = new Map();
  const answers = new Map();
  let next = 0;

  // Numbers that JSON has not travel as {"$n": text}.
  const packed = (_key, value) => {
    switch (typeof value) {
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0) ? value : { $n: Object.is(value, -0) ? '-0.0' : String(value) };
      case 'bigint':
        return { $n: String(value) };
      case 'object':
        if (value instanceof Map) return Object.fromEntries(value);
        if (value instanceof Set || ArrayBuffer.isView(value)) return Array.from(value);
        if (value instanceof Promise) throw new TypeError('a promise is no result: nothing waits for it');
        return value;
      case 'function':
      case 'symbol':
        throw new TypeError(`a ${typeof value} is no value of SQL`);
      default:
        return value;
    }
  };
  const unpacked = (_key, value) =>
    value !== null && typeof value === 'object' && typeof value.$n === 'string' ? Number(value.$n) : value;
  const value = (given) => `{"value":${stringify(given, packed) ?? 'null'}}`;
  const read = (json) => parseJson(json, json.includes('"$n"') ? unpacked : undefined);

  const failed = (error, shift) => {
    let [name, message, line, column] = ['Error', '', 0, 0];
    if (error instanceof Error) {
      name = String(error.name);
      message = String(error.message);
      const place = /<function>:(\d+):(\d+)/.exec(String(error.stack));
      if (place !== null) {
        line = Number(place[1]);
        column = Number(place[2]) - (line === 1 ? shift : 0);
      }
    } else {
      message = String(error);
    }
    return stringify({ failed: { name, message, line, column } });
  };

  const types = (value) => (Array.isArray(value) ? value.map(String) : value === undefined ? undefined : [String(value)]);
  const single = (value) => (value === undefined ? undefined : String(value));

  /** Takes a function in: its number and what it declares. */
  const define = (source, compile) => {
    const known = answers.get(source);
    if (known !== undefined) return known;
    const statements = exported.test(source);
    const shift = (statements ? BODY : VALUE).length;
    try {
      const body = statements
        ? BODY + source.replace(exported, (found, indent) => indent + 'return'.padEnd(found.length - indent.length))
        : VALUE + source;
      const factory = compile(body + (statements ? '\n})' : '\n)})'));
      const object = factory();
      if (object === null || typeof object !== 'object') throw new TypeError('the text is to give an object');
      const methods = ['eval', 'createAccumulator', 'accumulate', 'retract', 'merge', 'getValue', 'emitValue'].filter(
        (name) => typeof object[name] === 'function',
      );
      const id = next++;
      made.set(id, { factory, shift });
      const answer = stringify({
        id,
        input: types(object.input),
        result: single(object.result),
        rows: single(object.rows),
        accumulator: single(object.accumulator),
        methods,
      });
      answers.set(source, answer);
      if (made.size > KEPT) {
        made.delete(made.keys().next().value);
        answers.delete(answers.keys().next().value);
      }
      return answer;
    } catch (error) {
      return failed(error, shift);
    }
  };

  /** Calls a method of a function, made anew for the call; `json` is the array of its arguments. */
  const call = (id, method, json) => {
    const one = made.get(id);
    if (one === undefined) return stringify({ failed: { name: 'Forgotten', message: '', line: 0, column: 0 } });
    const { factory, shift } = one;
    try {
      const object = factory();
      const args = read(json);
      switch (method) {
        case 'rows': {
          const rows = object.eval(...args);
          return value(rows === undefined || rows === null ? [] : Array.from(rows));
        }
        case 'accumulate':
        case 'retract':
        case 'merge': {
          const given = object[method](...args);
          return value(given === undefined ? args[0] : given);
        }
        default:
          return value(object[method](...args));
      }
    } catch (error) {
      return failed(error, shift);
    }
  };
  return { define, call };
})();
