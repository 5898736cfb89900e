/** Glyph and colour of each row kind. */
import type { RowKind } from '../model/kinds.ts';
import type { GlyphName } from './glyph.ts';

export const KIND_GLYPH: Readonly<Record<RowKind, GlyphName>> = {
  '+I': 'kind-insert',
  '-U': 'kind-update-before',
  '+U': 'kind-update-after',
  '-D': 'kind-delete',
};

export const KIND_INK = {
  '+I': 'ins',
  '-U': 'ub',
  '+U': 'ua',
  '-D': 'del',
} as const satisfies Record<RowKind, string>;
