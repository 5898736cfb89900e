/**
 * Numbers, bytes and times as text (ui.md 12.3). Times are milliseconds since the epoch and are
 * written in UTC, as the engine counts them.
 */

const THIN = '\u2009';
const MINUS = '\u2212';
const NONE = '\u2014';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, '0');

/** A whole number with thin spaces between thousands and a real minus. */
export function count(value: number): string {
  const digits = String(Math.abs(Math.round(value)));
  const grouped = digits.replace(/\B(?=(\d{3})+(?!\d))/g, THIN);
  return value < 0 ? `${MINUS}${grouped}` : grouped;
}

/** Decimal bytes with three significant digits. */
export function bytes(value: number): string {
  if (value < 1000) return `${Math.round(value)} B`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
  let scaled = value / 1000;
  let unit = 0;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  const digits = scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return `${scaled.toFixed(digits)} ${units[unit]}`;
}

/** Row kind with a real minus sign. */
export function kindText(kind: string): string {
  return kind.replace('-', MINUS);
}

/** A point in time as `hh:mm:ss`, with milliseconds only where there are some. */
export function clock(ms: number): string {
  if (!Number.isFinite(ms)) return ms > 0 ? '+\u221e' : NONE;
  const inDay = ((ms % DAY) + DAY) % DAY;
  const h = Math.floor(inDay / HOUR);
  const m = Math.floor(inDay / MINUTE) % 60;
  const s = Math.floor(inDay / SECOND) % 60;
  const rest = inDay % SECOND;
  return `${two(h)}:${two(m)}:${two(s)}${rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`}`;
}

/** A point in time to the second, fractions cut. */
export function clockSeconds(ms: number): string {
  return Number.isFinite(ms) ? clock(Math.floor(ms / SECOND) * SECOND) : clock(ms);
}

/** Month and day. */
export function day(ms: number): string {
  const date = new Date(ms);
  return `${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

/** How times of one replay are written: as short as its length allows. */
export interface TimeStyle {
  /** Whether the replay goes over several days, and times carry the day. */
  readonly dated: boolean;
  /** Ticks of an axis and other places where only the last digits change. */
  readonly axis: (ms: number) => string;
  /** In the fewest letters: no date, where an hour tells enough. */
  readonly tight: (ms: number) => string;
  /** To the second, without what all times of the replay have in common. */
  readonly short: (ms: number) => string;
  /** Complete, to the second. */
  readonly full: (ms: number) => string;
  /** A half-open window. */
  readonly range: (startMs: number, endMs: number) => string;
  /** The start of a window. */
  readonly edge: (ms: number) => string;
}

/** The style for a replay from `fromMs` to `toMs`. */
export function timeStyle(fromMs: number, toMs: number): TimeStyle {
  const span = toMs - fromMs;
  const sameDay = Math.floor(fromMs / DAY) === Math.floor(toMs / DAY);
  const sameHour = sameDay && Math.floor(fromMs / HOUR) === Math.floor(toMs / HOUR);
  const dated = (text: (ms: number) => string) => (ms: number) =>
    Number.isFinite(ms) ? `${day(ms)} ${text(ms)}` : text(ms);
  const hourMinute = (ms: number) =>
    Number.isFinite(ms) ? clockSeconds(ms).slice(0, 5) : clock(ms);
  const minuteSecond = (ms: number) =>
    Number.isFinite(ms) ? clockSeconds(ms).slice(3) : clock(ms);
  const edge = (ms: number) => {
    const base = ms % MINUTE === 0 ? hourMinute(ms) : clock(ms);
    return sameDay || !Number.isFinite(ms) ? base : `${day(ms)} ${base}`;
  };
  return {
    dated: !sameDay,
    axis: sameHour ? minuteSecond : span <= DAY ? hourMinute : dated(hourMinute),
    tight: sameHour ? minuteSecond : hourMinute,
    short: sameHour ? minuteSecond : sameDay ? clockSeconds : dated(hourMinute),
    full: sameDay ? clockSeconds : dated(clockSeconds),
    range: (startMs, endMs) => {
      const sameDate = Math.floor(startMs / DAY) === Math.floor((endMs - 1) / DAY);
      const end = sameDate ? edge(endMs).slice(-edge(endMs).length) : edge(endMs);
      return `[${edge(startMs)}, ${sameDate && !sameDay ? end.split(' ').at(-1) : end})`;
    },
    edge,
  };
}

/** A length of time in the shortest exact unit, as `20 s` or `1.5 h`. */
export function duration(
  ms: number,
  units: Readonly<Record<'ms' | 's' | 'min' | 'h' | 'd', string>>,
): string {
  const of = (scale: number, unit: string) => `${trimmed(ms / scale)} ${unit}`;
  const size = Math.abs(ms);
  if (size < SECOND) return of(1, units.ms);
  if (size < 2 * MINUTE) return of(SECOND, units.s);
  if (size < 2 * HOUR) return of(MINUTE, units.min);
  return size < 2 * DAY ? of(HOUR, units.h) : of(DAY, units.d);
}

function trimmed(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return `${rounded < 0 ? MINUS : ''}${Math.abs(rounded)}`;
}
