/** Positions as pages write them: `00:02:20`, `#15`, `fire:1`, `drop:1`. */
import type { Recording } from './recording.ts';
import { lastAtOrBefore } from './series.ts';
import { MOMENTS } from './view.ts';

/** The playhead that a text means; `undefined` where it means nothing in this replay. */
export function positionFrom(recording: Recording, text: string): number | undefined {
  const event = /^#(\d+)$/.exec(text);
  if (event !== null) return Number(event[1]) - 1 + MOMENTS.rest;
  const nth = /^(fire|drop):(\d+)$/.exec(text);
  if (nth !== null) return nthOf(recording, nth[1] === 'fire', Number(nth[2]));
  const time = /^(\d+):(\d{2}):(\d{2})$/.exec(text);
  if (time !== null) {
    const [, h, m, s] = time;
    return atTime(recording, (Number(h) * 3600 + Number(m) * 60 + Number(s)) * 1000);
  }
  const plain = Number(text);
  return text !== '' && Number.isFinite(plain) ? plain : undefined;
}

const DAY_MS = 86_400_000;

function atTime(recording: Recording, inDayMs: number): number {
  const first = recording.marks[0]?.atMs ?? 0;
  const day = Math.floor(first / DAY_MS) * DAY_MS;
  const times = recording.marks.map((mark) => mark.atMs);
  return lastAtOrBefore(times, day + inDayMs) + MOMENTS.rest;
}

function nthOf(recording: Recording, fires: boolean, n: number): number | undefined {
  const steps = new Set<number>();
  for (const { tracks } of recording.queries) {
    const found = fires ? tracks.windows.map((window) => window.firedStep) : tracks.late.keys();
    for (const step of found) if (step !== undefined) steps.add(step);
  }
  const step = [...steps].sort((a, b) => a - b)[n - 1];
  return step === undefined ? undefined : step + MOMENTS.rest;
}
