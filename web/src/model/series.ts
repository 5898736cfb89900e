/** Values that change at some steps and hold in between, as two columns that only grow or are cut. */

/** A step function over the steps of a recording. */
export class Series<T> {
  readonly steps: number[] = [];
  readonly values: T[] = [];

  /** Sets the value from `step` on; several values within a step leave the last one. */
  set(step: number, value: T): void {
    const last = this.steps.length - 1;
    if (last >= 0 && this.steps[last] === step) {
      this.values[last] = value;
      if (last > 0 && this.values[last - 1] === value) {
        this.steps.pop();
        this.values.pop();
      }
    } else if (last < 0 || this.values[last] !== value) {
      this.steps.push(step);
      this.values.push(value);
    }
  }

  /** Value at a step; `undefined` before the first one. */
  at(step: number): T | undefined {
    const ix = lastAtOrBefore(this.steps, step);
    return ix < 0 ? undefined : this.values[ix];
  }

  /** The step at which the value of `step` came up. */
  since(step: number): number | undefined {
    const ix = lastAtOrBefore(this.steps, step);
    return ix < 0 ? undefined : this.steps[ix];
  }

  /** Forgets everything from `step` on. */
  cut(step: number): void {
    const keep = lastAtOrBefore(this.steps, step - 1) + 1;
    this.steps.length = keep;
    this.values.length = keep;
  }

  /** The newest value. */
  get last(): T | undefined {
    return this.values.at(-1);
  }
}

/** Index of the last element of a rising list that is not above `limit`; −1 where there is none. */
export function lastAtOrBefore(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? Number.POSITIVE_INFINITY) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
