/** One animation frame for the whole page: first the clocks, then everything that has to be painted. */

type Clock = (elapsedMs: number) => void;
type Paint = () => void;

/** Done at the start of the next frame, while layout is still that of the last one: reading it is free. */
const rested = new Set<Paint>();
const clocks = new Set<Clock>();
const paints = new Set<Paint>();
let handle = 0;
let before = 0;

/** Paints at the next frame, once, however often it is asked for. */
export function paintSoon(paint: Paint): void {
  paints.add(paint);
  wake();
}

/** Reads or writes layout at the start of the next frame. */
export function atRest(task: Paint): void {
  rested.add(task);
  wake();
}

/** Forgets a paint that was asked for. */
export function forgetPaint(paint: Paint): void {
  paints.delete(paint);
  rested.delete(paint);
}

/** Calls a clock on every frame until it is stopped. */
export function runClock(clock: Clock): () => void {
  clocks.add(clock);
  wake();
  return () => clocks.delete(clock);
}

function wake(): void {
  if (handle !== 0) return;
  before = performance.now();
  handle = requestAnimationFrame(frame);
}

function frame(now: number): void {
  const elapsed = Math.max(0, now - before);
  before = now;
  const tasks = [...rested];
  rested.clear();
  for (const task of tasks) task();
  for (const clock of [...clocks]) clock(elapsed);
  const due = [...paints];
  paints.clear();
  for (const paint of due) paint();
  handle = clocks.size > 0 || paints.size > 0 || rested.size > 0 ? requestAnimationFrame(frame) : 0;
}
