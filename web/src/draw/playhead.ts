/** The playhead with the watermark's pill and the labels of the partitions. */
import type { Stage } from '../layout/stage.ts';
import { pxFromTime } from '../layout/time_scale.ts';
import type { PartitionView } from '../model/view.ts';
import { shapeOf } from './glyph.ts';
import { type DrawItem, disc, glyph, path, px, rect, roughWidth, text } from './list.ts';
import type { TimelineWords } from './words.ts';

/** What stands at the playhead. */
export interface PlayheadInput {
  readonly stage: Stage;
  readonly words: TimelineWords;
  readonly x: number;
  /** Bottom end of the line. */
  readonly bottom: number;
  readonly watermarkMs: number | undefined;
  readonly partitions: readonly PartitionView[];
  /** Whether the query goes by the watermark at all. */
  readonly faint: boolean;
}

/** The line, the pill, the labels. */
export function playheadItems(input: PlayheadInput): DrawItem[] {
  const { stage, x } = input;
  const { plot } = stage;
  const items: DrawItem[] = [
    path(`M${px(x)} ${plot.y - 4}V${px(input.bottom)}`, { stroke: 'ink', width: 1.25 }),
  ];
  const { watermarkMs } = input;
  if (watermarkMs === undefined || watermarkMs < stage.events.fromMs) return items;
  const y = Math.max(plot.y, pxFromTime(stage.events, watermarkMs));
  items.push(...partitionLabels(input, y), ...pill(input, { y, watermarkMs }));
  items.push(disc(x, y, 4.5, { fill: 'water', stroke: 'stage', width: 2 }));
  return items;
}

function pill(input: PlayheadInput, at: { y: number; watermarkMs: number }): DrawItem[] {
  const { stage, words, x } = input;
  const right = stage.plot.x + stage.plot.w + 16;
  const label = words.full(at.watermarkMs);
  const holder = input.partitions.find((partition) => partition.holder);
  const width = Math.max(84, roughWidth(label, 'range') + 26);
  const room = right - x;
  const flip = room < width + 16;
  const held = holder === undefined ? '' : words.heldBy(holder.name);
  const heldWidth = held === '' ? 0 : roughWidth(held, 'caption') + 16;
  const withHolder = held !== '' && !stage.narrow && (flip || room > width + heldWidth + 20);
  const whole = width + (withHolder ? heldWidth : 0);
  const left = flip ? x - 10 - whole : x + 8;
  const y = flip ? at.y + 20 : at.y;
  const opacity = input.faint ? 0.75 : 1;
  const items: DrawItem[] = [
    rect({ x: left, y: y - 11, w: whole, h: 22, r: 11 }, { fill: 'surface', stroke: 'water' }),
    rect({ x: left, y: y - 11, w: width, h: 22, r: 11 }, { fill: 'water', opacity }),
    text(left + width / 2, y + 4.2, label, { face: 'range', ink: 'on-water', anchor: 'middle' }),
  ];
  if (withHolder) {
    items.push(text(left + width + 6, y + 4, held, { face: 'caption-strong', ink: 'water-ink' }));
  }
  return items;
}

/** Least distance between two labels. */
const APART = 15;

function partitionLabels(input: PlayheadInput, pillY: number): DrawItem[] {
  const { stage, words, x } = input;
  if (x > stage.plot.x + stage.plot.w + 16 - 66) return [];
  const shown = input.partitions
    .filter((partition) => !partition.holder && partition.watermarkMs !== undefined)
    .map((partition) => {
      const y = pxFromTime(stage.events, partition.watermarkMs ?? 0);
      const close = Math.abs(y - pillY) < 19;
      return { partition, y, labelY: close ? (y <= pillY ? pillY - 19 : pillY + 19) : y };
    })
    .filter(({ y }) => y > stage.plot.y - 2 && y < stage.plot.y + stage.plot.h + 2)
    .sort((a, b) => a.y - b.y)
    .slice(0, 6);
  for (let at = shown.length - 2; at >= 0; at--) {
    const above = shown[at];
    const below = shown[at + 1];
    if (above !== undefined && below !== undefined && above.labelY > below.labelY - APART) {
      above.labelY = below.labelY - APART;
    }
  }
  return shown.flatMap(({ partition, y, labelY }) => {
    const opacity = partition.idle ? 0.5 : 1;
    return [
      path(`M${px(x)} ${px(y)}L${px(x + 9)} ${px(labelY)}h5`, { stroke: 'ink-4', opacity }),
      glyph(
        shapeOf(partition.shape),
        { x: x + 21, y: labelY, size: 9 },
        { stroke: 'ink-2', opacity },
      ),
      text(x + 29, labelY + 3.6, words.short(partition.watermarkMs ?? 0), {
        face: 'mono',
        ink: 'ink-2',
        halo: 3,
        opacity,
      }),
    ];
  });
}
