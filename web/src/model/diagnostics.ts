/** Types of what is said about SQL, for those who may not know the engine. */
export type {
  Analysis,
  Completion,
  Diagnostic,
  Hover,
  Lens,
  TimeLiteral,
  Token,
} from '../engine/api.ts';
