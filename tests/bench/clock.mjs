/** Time in CPU seconds: what a process computes, whatever else the machine does. */
import { cpuUsage } from 'node:process';

/** User CPU seconds that `work` takes, those of the JIT's threads with it, and what it returns. */
export function cpuSeconds(work) {
  const before = cpuUsage();
  const result = work();
  return { seconds: cpuUsage(before).user / 1e6, result };
}

/** Work for so long warms up the JIT, whose threads count too. */
const WARM_SECONDS = 3;

/**
 * The fewest CPU seconds of several goes, at least so many and as many as fill {@link WARM_SECONDS}, each made ready by
 * `prepare` outside of the measured time. The first ones warm up the JIT; a loaded machine only ever makes a go longer.
 */
export function fewestSeconds(goes, prepare, work) {
  let fewest = Number.POSITIVE_INFINITY;
  let all = 0;
  for (let go = 0; go < goes || all < WARM_SECONDS; go++) {
    const ready = prepare();
    const { seconds } = cpuSeconds(() => work(ready));
    all += seconds;
    fewest = Math.min(fewest, seconds);
  }
  return fewest;
}

/** The value below which a share of the values lies. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
