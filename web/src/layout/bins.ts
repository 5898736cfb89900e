/** Counts of marks per cell of a grid, made once per zoom step: what the density picture is drawn from. */

/** Marks by pixel column and row of event time. */
export interface Bins {
  readonly columns: number;
  readonly rows: number;
  readonly counts: Uint16Array;
  readonly most: number;
}

/** Bins marks given as columns; those without a place (not finite) are left out. */
export function binned(
  marks: { readonly columns: ArrayLike<number>; readonly rows: ArrayLike<number> },
  size: { columns: number; rows: number },
): Bins {
  const counts = new Uint16Array(size.columns * size.rows);
  let most = 0;
  for (let at = 0; at < marks.columns.length; at++) {
    const column = Math.floor(marks.columns[at] ?? Number.NaN);
    const row = Math.floor(marks.rows[at] ?? Number.NaN);
    if (!(column >= 0 && column < size.columns && row >= 0 && row < size.rows)) continue;
    const cell = row * size.columns + column;
    const counted = Math.min(65535, (counts[cell] ?? 0) + 1);
    counts[cell] = counted;
    most = Math.max(most, counted);
  }
  return { ...size, counts, most };
}

/** Tone of a count between 0 and 1: by its root, so that single marks stay visible. */
export function toneOf(counted: number, most: number): number {
  return most === 0 ? 0 : 0.25 + 0.75 * Math.sqrt(counted / most);
}
