/** Gives one export of a WebAssembly module another body, so that tests can see what happens when it fails. */

/** Bodies: a trap, and a loop without an end. Each has no locals. */
const BODIES = {
  trap: [0x00, 0x00, 0x0b],
  loop: [0x00, 0x03, 0x40, 0x0c, 0x00, 0x0b, 0x00, 0x0b],
} as const;

const CUSTOM = 0;
const IMPORTS = 2;
const EXPORTS = 7;
const CODE = 10;
const FUNCTION = 0;

interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

/** The module in which the exported function does nothing but fail. */
export function withFailing(
  module: Uint8Array,
  name: string,
  how: keyof typeof BODIES,
): Uint8Array {
  // The first section tells the length of the module's first part, which changes: without it the module is taken whole.
  const sections = sectionsOf(module).filter(({ id }, at) => id !== CUSTOM || at > 0);
  const bodyOf = (id: number) => sections.find((section) => section.id === id)?.body;
  const index = exportedFunction(bodyOf(EXPORTS), name) - importedFunctions(bodyOf(IMPORTS));
  const changed = sections.map((section) =>
    section.id === CODE ? { id: CODE, body: replaced(section.body, index, BODIES[how]) } : section,
  );
  const parts = changed.flatMap(({ id, body }) => [Uint8Array.of(id), leb(body.length), body]);
  return joined([module.subarray(0, 8), ...parts]);
}

class Reader {
  at = 0;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Error('the module ends too early');
    return byte;
  }

  number(): number {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      shift += 7;
    }
  }

  take(length: number): Uint8Array {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text(): string {
    return new TextDecoder().decode(this.take(this.number()));
  }
}

function sectionsOf(module: Uint8Array): Section[] {
  const reader = new Reader(module);
  reader.take(8);
  const sections: Section[] = [];
  while (reader.at < module.length) {
    const id = reader.byte();
    sections.push({ id, body: reader.take(reader.number()) });
  }
  return sections;
}

/** Number of functions among the imports: they come first in the numbering. wasm-bindgen imports nothing else. */
function importedFunctions(body: Uint8Array | undefined): number {
  if (body === undefined) return 0;
  const reader = new Reader(body);
  const all = reader.number();
  for (let at = 0; at < all; at++) {
    reader.text();
    reader.text();
    if (reader.byte() !== FUNCTION) throw new Error('an import that is no function');
    reader.number();
  }
  return all;
}

function exportedFunction(body: Uint8Array | undefined, wanted: string): number {
  if (body === undefined) throw new Error('nothing is exported');
  const reader = new Reader(body);
  for (let left = reader.number(); left > 0; left--) {
    const name = reader.text();
    const kind = reader.byte();
    const index = reader.number();
    if (name === wanted && kind === FUNCTION) return index;
  }
  throw new Error(`${wanted} is not exported`);
}

function replaced(code: Uint8Array, index: number, body: readonly number[]): Uint8Array {
  const reader = new Reader(code);
  const all = reader.number();
  const parts = [leb(all)];
  for (let at = 0; at < all; at++) {
    const old = reader.take(reader.number());
    const now = at === index ? Uint8Array.from(body) : old;
    parts.push(leb(now.length), now);
  }
  return joined(parts);
}

function leb(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  do {
    const low = left & 0x7f;
    left >>>= 7;
    bytes.push(left > 0 ? low | 0x80 : low);
  } while (left > 0);
  return Uint8Array.from(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
