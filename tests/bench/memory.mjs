/** Bytes of wasm memory that 1 million keys of `COUNT(*)` by BIGINT take. */
import { freshEngine } from './engine.mjs';

const KEYS = 1_000_000;

/** Measures in a module instance of its own: memory of wasm grows and never shrinks. */
export async function measureMemory(root) {
  const { engine, memory } = await freshEngine(root);
  engine.bulkOpen('count', KEYS, 0, false);
  // The rows that wait to be pushed are not the engine's state.
  const before = memory.buffer.byteLength;
  engine.bulkRun();
  const grown = memory.buffer.byteLength - before;
  return [
    { figure: 'memory of 1,000,000 keys', who: 'engine', value: grown, unit: 'bytes' },
    { figure: 'memory of a key', who: 'engine', value: grown / KEYS, unit: 'bytes' },
    {
      figure: 'whole memory, with 1,000,000 input rows',
      who: 'engine',
      value: memory.buffer.byteLength,
      unit: 'bytes',
    },
  ];
}
