/** Texts of keys, values and namespaces, taken apart into cells as the engine joined them. */

/** Cells of a text such as `[tea, 1]`; a text without brackets is one row of cells as well. */
export function cellsOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return inner.split(', ');
}

/** A key with a key within it, as the engine writes them: `tea[24]`. */
const WITHIN = /^([^[].*?)\[(.*)\]$/;

/** A key and the key within it; `undefined` where there is none. */
export function splitKey(text: string | null): { outer: string; within: string } | undefined {
  const [, outer, within] = WITHIN.exec(text ?? '') ?? [];
  return outer === undefined || within === undefined ? undefined : { outer, within };
}

const STAMP = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?Z?$/;

/** Milliseconds of a text that is a point in time, else `undefined`. */
export function stampMs(text: string | null): number | undefined {
  const match = text === null ? null : STAMP.exec(text);
  if (match === null) return undefined;
  const [, y, mo, d, h, mi, s = '0', fraction = '0'] = match;
  const ms = Number(`0.${fraction}`) * 1000;
  return (
    Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s)) +
    Math.floor(ms)
  );
}

/** End of the window that a namespace names (`start/end`), as a number or a point in time. */
export function windowEndMs(namespace: string | null): number | undefined {
  const last = cellsOf(namespace).at(-1)?.split('/').at(-1);
  if (last === undefined) return undefined;
  if (/^-?\d+$/.test(last)) return Number(last);
  return stampMs(last.replace(/\)$/, ''));
}

/** Whether a text is a number. */
export function isNumber(text: string | null): boolean {
  return text !== null && /^-?\d+(\.\d+)?(E-?\d+)?$/.test(text);
}

/** What a cell shows in tight places: a point in time without its date, texts cut. */
export function shortCell(text: string | null, edge: (ms: number) => string, most = 14): string {
  if (text === null) return 'NULL';
  const ms = stampMs(text);
  if (ms !== undefined) return edge(ms);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
