/** Time in CPU seconds: what a process computes, whatever else the machine does. */
import { cpuUsage } from 'node:process';

/** User CPU seconds that `work` takes, those of the JIT's threads with it, and what it returns. */
export function cpuSeconds(work) {
  const before = cpuUsage();
  const result = work();
  return { seconds: cpuUsage(before).user / 1e6, result };
}

/**
 * The fewest CPU seconds of several goes, each made ready by `prepare` outside of the measured time. The
 * first ones warm up the JIT; a loaded machine only ever makes a go longer.
 */
export function fewestSeconds(goes, prepare, work) {
  let fewest = Number.POSITIVE_INFINITY;
  for (let go = 0; go < goes; go++) {
    const ready = prepare();
    fewest = Math.min(fewest, cpuSeconds(() => work(ready)).seconds);
  }
  return fewest;
}

/** The value below which a share of the values lies. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
