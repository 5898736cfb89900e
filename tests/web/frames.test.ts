import { expect, test } from 'vitest';
import { FrameError, framesIn, heldText, readFrame } from '../../web/src/engine/frames.ts';
import { bandsAt } from '../../web/src/model/bands.ts';
import type { Recording } from '../../web/src/model/recording.ts';
import { viewAt } from '../../web/src/model/view.ts';
import { KNOBS, paymentFrames } from './fixture/payments.ts';
import { recorded } from './fixture/recording.ts';
import { ByteWriter, frameBytes, joined, TextTable } from './fixture/writer.ts';

test('a frame is read back as it was written', () => {
  const texts = new TextTable();
  const events = new ByteWriter();
  events
    .byte(1)
    .count(0)
    .count(2)
    .byte(0)
    .change(300)
    .byte(1)
    .signed(-5)
    .cells([texts.id('tea'), 1]);
  events.byte(7).count(0).count(0).byte(0).count(2).time(Number.NEGATIVE_INFINITY);
  events.time(Number.NEGATIVE_INFINITY).time(40_000).count(3).byte(1);
  const bytes = frameBytes({ query: 1, phase: 1, slot: 7, timeMs: -70_000 }, texts, events);
  const [body] = [...framesIn(bytes)];
  const frame = readFrame(body ?? new Uint8Array());
  expect(frame).toEqual({
    query: 1,
    phase: 'arrival',
    slot: 7,
    processingTimeMs: -70_000,
    newTexts: ['tea'],
    events: [
      {
        kind: 'arrival',
        source: 0,
        partition: 2,
        what: '+I',
        change: 300,
        rowtimeMs: -5,
        cells: [2, 1],
      },
      {
        kind: 'watermark',
        operator: 0,
        subtask: 0,
        gate: 'source',
        channel: 2,
        channelMs: Number.NEGATIVE_INFINITY,
        beforeMs: Number.NEGATIVE_INFINITY,
        afterMs: 40_000,
        holder: 2,
        idle: true,
      },
    ],
  });
});

test('numbers and points in time are cells without a text', () => {
  const code = (number: number, holds: number) => {
    const zigzag = number < 0 ? -number * 2 - 1 : number * 2;
    return -(zigzag * 4 + holds);
  };
  const nine = Date.UTC(2024, 0, 1, 9);
  expect(heldText(code(-3, 1))).toBe('-3');
  expect(heldText(code(2 ** 49, 1))).toBe('562949953421312');
  expect(heldText(code(nine, 2))).toBe('2024-01-01T09:00');
  expect(heldText(code(nine + 5_000, 2))).toBe('2024-01-01T09:00:05');
  expect(heldText(code(nine + 10, 2))).toBe('2024-01-01T09:00:00.010');
  expect(heldText(code(nine, 3))).toBe('2024-01-01T09:00:00Z');
  expect(heldText(code(-62_135_596_800_000, 3))).toBe('0001-01-01T00:00:00Z');
});

test('a torn buffer is refused instead of misread', () => {
  const [first] = paymentFrames(KNOBS);
  const torn = (first ?? new Uint8Array()).subarray(0, 3);
  expect(() => [...framesIn(torn)]).toThrow(FrameError);
});

test('the late payment is dropped by A and rewrites a row of B', () => {
  const recording = recorded();
  const view = viewAt(recording, 14.95);
  expect(view.lanes[0]?.outcome.late).toMatchObject({ byMs: 23_000, startMs: 0, endMs: 60_000 });
  expect(view.lanes[1]?.outcome).toEqual({ late: undefined, behind: true });
  expect(view.lanes[0]?.tally).toEqual({ '+I': 3, '-U': 0, '+U': 0, '-D': 0 });
  const b = recording.queries[1];
  const rows = [...(b?.resultAt(14).rows.values() ?? [])].sort((x, y) => x.id - y.id);
  expect(b?.row(rows[0]?.cells ?? [])).toEqual(['tea', '1970-01-01 00:00:00', '95', '5']);
});

test('a position looks the same whether it is reached forwards or backwards', () => {
  const forwards = recorded();
  const backwards = recorded();
  const picture = (recording: Recording, step: number) =>
    recording.queries.map((query) => [
      [...query.resultAt(step).rows.values()].map((row) => query.row(row.cells)),
      [...query.stateAt(step).operators].map(([id, entries]) => [
        id,
        [...entries.values()].map((e) => [query.text(e.key), query.valueOf(e.value)]),
      ]),
      bandsAt(recording, query, step),
    ]);
  const there = Array.from({ length: 30 }, (_, step) => picture(forwards, step));
  const back = Array.from({ length: 30 }, (_, at) => picture(backwards, 29 - at)).reverse();
  expect(back).toEqual(there);
});

test('frames of another run replace those from their step on', () => {
  const recording = recorded();
  const before = recording.queries[0]?.tracks.logLength(29);
  const frames = paymentFrames(KNOBS).filter((_, at) => at >= 2 + 2 * 20);
  recording.keepBefore(20);
  recording.ingest(joined(frames.map((frame) => frame)));
  recording.finish();
  expect(recording.queries[0]?.tracks.logLength(29)).toBe(before);
  expect(recording.queries[0]?.lastStep).toBe(29);
});
