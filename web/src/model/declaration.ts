/** The watermark declaration of the stream at hand, taken apart so that its literal can be changed. */
import type { SourceView, Workspace } from '../engine/api.ts';
import type { Recording } from './recording.ts';

/** A declaration in parts. */
export interface SourceDeclaration {
  readonly source: number;
  readonly column: string;
  /** Text before the digits, the digits, text behind them. */
  readonly before: string;
  readonly literal:
    | {
        readonly value: number;
        readonly ms: number;
        readonly unitMs: number;
        readonly most: number;
      }
    | undefined;
  readonly after: string;
}

const UNITS: Readonly<Record<string, number>> = {
  SECOND: 1000,
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
};
const MOST: Readonly<Record<string, number>> = { SECOND: 120, MINUTE: 180, HOUR: 48, DAY: 14 };

/** The declaration of the source that sends around a step. */
export function declarationOf(
  recording: Recording,
  workspace: Workspace,
  step: number,
): SourceDeclaration | undefined {
  const at = recording.marks[Math.max(0, step)]?.source;
  const { sources } = recording.opened;
  const source =
    sources.find((each) => each.source === at && each.watermark !== null) ??
    sources.find((each) => each.watermark !== null);
  return source === undefined ? undefined : partsOf(source, workspace);
}

/** A bound minus which the watermark follows its column: `ts - INTERVAL '20' SECOND`. */
const BOUND = /^(.*?)'(\d+)'(\s*)(SECOND|MINUTE|HOUR|DAY)(.*)$/is;

function partsOf(source: SourceView, workspace: Workspace): SourceDeclaration {
  const text = source.watermark ?? '';
  const column = source.rowtime ?? '';
  const base = { source: source.source, column };
  const match = BOUND.exec(text);
  if (match === null || source.outOfOrdernessMs === null) {
    return { ...base, before: text, literal: undefined, after: '' };
  }
  const [, before = '', digits = '0', gap = ' ', unit = 'SECOND', rest = ''] = match;
  const unitMs = UNITS[unit.toUpperCase()] ?? 1000;
  const set = commonBound(source, workspace);
  const value = set === undefined ? Number(digits) : Math.round((set / unitMs) * 10) / 10;
  const most = Math.max(MOST[unit.toUpperCase()] ?? 60, value);
  return {
    ...base,
    before,
    literal: { value, ms: value * unitMs, unitMs, most },
    after: `${gap}${unit}${rest}`,
  };
}

/** The bound that is set by hand on the whole table. */
function commonBound(source: SourceView, workspace: Workspace): number | undefined {
  return workspace.controls.find(
    (control) => control.table === source.table && control.partition === undefined,
  )?.outOfOrdernessMs;
}
