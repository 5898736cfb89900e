/** Facts of a step as sentences. */

import type { DrawFormats } from '../draw/words.ts';
import type { Messages } from '../i18n/en.ts';
import { stampMs } from '../model/cells.ts';
import type { Told } from '../model/narration.ts';

/** One sentence per fact, joined as the language does it. */
export function narrated(facts: readonly Told[], t: Messages, formats: DrawFormats): string {
  return facts.map((fact) => sentence(fact, t, formats)).join(t.sentenceGap);
}

function sentence(fact: Told, t: Messages, formats: DrawFormats): string {
  const words = t.narration;
  switch (fact.kind) {
    case 'sends': {
      const row = fact.row
        .filter((cell) => stampMs(cell) !== fact.rowtimeMs || fact.rowtimeMs === undefined)
        .map((cell) => cell ?? 'NULL')
        .join(' ');
      return fact.rowtimeMs === undefined
        ? words.sendsUntimed(fact.partition, row)
        : words.sends(fact.partition, row, formats.full(fact.rowtimeMs));
    }
    case 'dropped':
      return Number.isFinite(fact.startMs) && fact.endMs > fact.startMs
        ? words.dropped(formats.range(fact.startMs, fact.endMs))
        : words.droppedPlain;
    case 'behind':
      return words.behind;
    case 'watermark':
      return words.watermark(formats.full(fact.ms));
    case 'fires':
      return words.fires(formats.range(fact.startMs, fact.endMs), fact.rows);
    case 'updates':
      return words.updates(fact.rows);
    case 'inserts':
      return words.inserts(fact.rows);
    case 'idle':
      return words.idle(fact.partition);
    case 'start':
      return words.start;
    case 'end':
      return words.end;
    case 'quiet':
      return words.quiet;
  }
}
