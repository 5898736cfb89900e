import { expect, test } from 'vitest';
import { binned } from '../../web/src/layout/bins.ts';
import { flowLayout } from '../../web/src/layout/plan.ts';
import { eventRange, stageFor } from '../../web/src/layout/stage.ts';
import {
  detailFor,
  pxFromSlot,
  slotFromPx,
  slotScale,
  timeStep,
  timeTicks,
} from '../../web/src/layout/time_scale.ts';
import { planOf } from '../../web/src/model/plan.ts';
import { QUERY_A, SOURCE } from './fixture/payments.ts';

const NEEDS = {
  width: 1000,
  height: 400,
  slots: 30,
  p: 10,
  visible: undefined,
  partitions: 3,
  fromMs: 0,
  toMs: 240_000,
  options: {
    tracks: true,
    scrubber: true,
    scrubberHeight: 44,
    gutter: 'wide' as const,
    right: 16,
  },
};

test('a pixel and a slot find each other', () => {
  const scale = slotScale({ left: 168, width: 800 }, 30, { visible: 14, p: 20, share: 0.6 });
  for (const slot of [11, 14.25, 20]) {
    expect(slotFromPx(scale, pxFromSlot(scale, slot))).toBeCloseTo(slot);
  }
});

test('plot, tracks and scrubber share one scale, and nothing leaves the stage', () => {
  const stage = stageFor(NEEDS);
  expect(stage.oneScale).toBe(true);
  expect(stage.slots.perSlot).toBe(stage.whole.perSlot);
  expect(stage.barY).toBeGreaterThan(stage.trackTop + 3 * stage.trackHeight);
  expect(stage.axisY).toBeLessThan(NEEDS.height + 10);
  expect(stage.plot.x + stage.plot.w).toBe(NEEDS.width - 16);
});

test('a narrow stage shows fourteen arrivals and follows the playhead', () => {
  const stage = stageFor({ ...NEEDS, width: 390 });
  expect(stage.slots.visible).toBe(14);
  expect(stage.oneScale).toBe(false);
  const later = stageFor({ ...NEEDS, width: 390, p: 25 });
  expect(later.slots.first).toBeGreaterThan(stage.slots.first);
});

test('detail follows the room of a slot', () => {
  expect([20, 12, 5, 2, 0.4].map(detailFor)).toEqual(['full', 'number', 'dot', 'tick', 'density']);
});

test('time ticks are round and few', () => {
  expect(timeStep(300_000, 8)).toBe(60_000);
  expect(timeTicks(1000, 61_000, 4)).toEqual([15_000, 30_000, 45_000, 60_000]);
});

test('windows decide the range of event time, round times where there are none', () => {
  const times = { fromMs: 4000, toMs: 224_000 };
  expect(eventRange(times, { fromMs: 0, toMs: 240_000 })).toEqual({ fromMs: 0, toMs: 240_000 });
  expect(eventRange(times, undefined)).toEqual({ fromMs: 0, toMs: 240_000 });
});

test('bins count every mark in view once', () => {
  const bins = binned(
    { columns: [0, 0.5, 3, -1, 10, Number.NaN], rows: [0, 0, 1, 0, 0, 0] },
    { columns: 4, rows: 2 },
  );
  expect([...bins.counts]).toEqual([2, 0, 0, 0, 0, 0, 0, 1]);
  expect(bins.most).toBe(2);
});

test('boxes of a dataflow stand in the order of the stream and do not overlap', () => {
  const layout = flowLayout(planOf(QUERY_A, [SOURCE]), { width: 446, height: 158 });
  const [source, aggregate, sink] = layout.boxes;
  expect(layout.boxes.map((box) => box.task.operators[0]?.name)).toEqual([
    'TableSourceScan',
    'WindowAggregate',
    'Sink',
  ]);
  const right = (box: typeof source) => (box?.x ?? 0) + (box?.w ?? 0);
  expect(right(source)).toBeLessThan(aggregate?.x ?? 0);
  expect(right(aggregate)).toBeLessThan(sink?.x ?? 0);
  expect(right(sink)).toBeLessThanOrEqual(layout.width);
  expect(source?.out).toHaveLength(3);
  expect(aggregate?.in).toHaveLength(2);
});
