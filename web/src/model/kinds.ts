/** Row kinds, for those who may not know the engine. */
export type { RowKind } from '../engine/frames.ts';
