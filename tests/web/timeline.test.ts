import { expect, test } from 'vitest';
import type { DrawItem } from '../../web/src/draw/list.ts';
import { svgFromList } from '../../web/src/draw/svg.ts';
import { timeline } from '../../web/src/draw/timeline.ts';
import type { TimelineWords } from '../../web/src/draw/words.ts';
import { en } from '../../web/src/i18n/en.ts';
import { bytes, count, kindText, timeStyle } from '../../web/src/i18n/format.ts';
import { bandsAt } from '../../web/src/model/bands.ts';
import { flightsOf } from '../../web/src/model/flight.ts';
import { MarkTable, shortNumber } from '../../web/src/model/marks.ts';
import { toldAt } from '../../web/src/model/narration.ts';
import { positionFrom } from '../../web/src/model/position.ts';
import { markersOf, viewAt } from '../../web/src/model/view.ts';
import { recorded } from './fixture/recording.ts';

const recording = recorded();
const table = new MarkTable(recording);
const words: TimelineWords = {
  ...timeStyle(0, 300_000),
  ...en.timeline,
  length: en.length,
  bytes,
  count,
  kind: kindText,
  more: (n) => `+${n}`,
};

function layers(p: number, lane = 0) {
  const query = recording.queries[lane];
  if (query === undefined) throw new Error('no such query');
  const view = viewAt(recording, p);
  return timeline({
    recording,
    query,
    lane,
    letters: ['A', 'B'],
    view,
    table,
    bands: bandsAt(recording, query, view.step),
    markers: [markersOf(recording, 0), markersOf(recording, 1)],
    size: { width: 1100, height: 400 },
    visible: undefined,
    options: { tracks: true, scrubber: true, scrubberHeight: 44, gutter: 'wide', right: 16 },
    words,
    hotPartition: undefined,
    touchedStep: undefined,
    drag: undefined,
    still: false,
    limit: undefined,
  });
}

function flat(items: readonly DrawItem[]): DrawItem[] {
  return items.flatMap((item) => (item.kind === 'clip' ? flat(item.items) : [item]));
}

function wordsIn(items: readonly DrawItem[]): string[] {
  return flat(items).flatMap((item) => (item.kind === 'text' ? [item.text] : []));
}

test('windows stand in the gutter with their status and contents', () => {
  const shown = wordsIn(layers(19.95).gutter());
  expect(shown).toEqual(
    expect.arrayContaining([
      '[00:00, 00:01)',
      'sealed at 02:10',
      '[00:01, 00:02)',
      'waiting for watermark',
      'filling',
      'no events yet',
    ]),
  );
});

test('a dropped event says by how much it was late', () => {
  expect(wordsIn(layers(14.95).over())).toContain('late by 23 s, dropped');
  expect(wordsIn(layers(14.95, 1).over())).toContain('late by 23 s, rewrites the row');
});

test('the pill carries the watermark and who holds it back', () => {
  const shown = wordsIn(layers(19.95).over());
  expect(shown).toEqual(expect.arrayContaining(['00:01:40', 'held by p2']));
});

test('every event carries its trace', () => {
  const made = layers(29.5).marks();
  if (made.kind !== 'marks') throw new Error('marks are drawn one by one');
  const traces = new Set(flat(made.items).flatMap((item) => item.trace ?? []));
  const events = recording.marks.flatMap((mark, at) => (mark.kind === 'tick' ? [] : [at]));
  expect(events.filter((at) => !traces.has(`event:${at}`))).toEqual([]);
});

test('the same position gives the same picture', () => {
  const picture = (p: number) => {
    const made = layers(p);
    const marks = made.marks();
    const items = marks.kind === 'marks' ? marks.items : marks.past;
    return svgFromList(
      [...made.ground(), ...made.under(), ...items, ...made.gutter(), ...made.over()],
      't',
    );
  };
  const before = picture(17.3);
  picture(25);
  picture(2);
  expect(picture(17.3)).toBe(before);
});

test('labels with markup in them stay text', () => {
  const svg = svgFromList(
    [{ kind: 'text', x: 0, y: 0, text: '<b>&"', face: 'key', ink: 'ink', anchor: 'start' }],
    't',
  );
  expect(svg).toContain('&lt;b&gt;&amp;&quot;');
});

test('a record takes the edge to its subtask, an update leaves as a pair', () => {
  const query = recording.queries[1];
  const frame = query?.frame(14);
  if (query === undefined || frame === undefined) throw new Error('nothing recorded');
  const flights = flightsOf(frame, query.plan);
  expect(
    flights.map(({ kind, fromPartition, toSubtask }) => [kind, fromPartition, toSubtask]),
  ).toEqual([
    [undefined, 1, 0],
    ['-U', 1, 0],
    ['+U', 1, 0],
  ]);
  expect(flights[2]?.pairWith).toBe(flights[1]?.change);
});

test('a step is told in facts', () => {
  expect(toldAt(recording, 0, 14).map((fact) => fact.kind)).toEqual(['sends', 'dropped']);
  expect(toldAt(recording, 0, 13).map((fact) => fact.kind)).toContain('fires');
  expect(toldAt(recording, 1, 14).map((fact) => fact.kind)).toContain('updates');
});

test('pages name positions by time, event, firing and drop', () => {
  expect(positionFrom(recording, '00:02:20')).toBeCloseTo(14.95);
  expect(positionFrom(recording, '#15')).toBeCloseTo(14.95);
  expect(positionFrom(recording, 'drop:1')).toBeCloseTo(14.95);
  expect(positionFrom(recording, 'fire:1')).toBeCloseTo(13.95);
  expect(positionFrom(recording, 'fire:9')).toBeUndefined();
});

test('numbers in marks are four characters at most', () => {
  expect(['7', '1234', '15.5', '-1200000', 'tea'].map(shortNumber)).toEqual([
    '7',
    '1.2k',
    '16',
    '-1.2M'.slice(0, 5),
    'tea',
  ]);
});
