/** The words and number formats that pictures need, handed in by whoever knows the language. */

/** How times and sizes are written. */
export interface DrawFormats {
  readonly axis: (ms: number) => string;
  readonly tight: (ms: number) => string;
  readonly short: (ms: number) => string;
  readonly full: (ms: number) => string;
  readonly range: (startMs: number, endMs: number) => string;
  readonly edge: (ms: number) => string;
  readonly length: (ms: number) => string;
  readonly bytes: (value: number) => string;
  readonly count: (value: number) => string;
  readonly kind: (kind: string) => string;
}

/** Words of the timeline. */
export interface TimelineWords extends DrawFormats {
  readonly noEvents: string;
  readonly filling: string;
  readonly waiting: string;
  readonly sealed: (at: string) => string;
  readonly kept: string;
  readonly idle: string;
  readonly silent: (length: string) => string;
  readonly late: (length: string) => string;
  readonly rewrites: (length: string) => string;
  readonly rewritesShort: string;
  readonly behind: string;
  readonly heldBy: (partition: string) => string;
  readonly rows: (n: number) => string;
  readonly eventTime: string;
  readonly processingTime: string;
  readonly processing: string;
  readonly endOfInput: string;
  readonly more: (n: number) => string;
}

/** Words of the dataflow. */
export interface FlowWords extends DrawFormats {
  readonly scan: string;
  readonly repartition: string;
  readonly hash: string;
  readonly single: string;
  readonly rebalance: string;
  readonly broadcast: string;
  readonly result: string;
  readonly entries: (n: number) => string;
  readonly unused: string;
  readonly idle: string;
  readonly more: (n: string) => string;
}
