/** What the engine knows about the text, laid over it: token colours, lenses, literals that can be dragged. */
import { type EditorState, type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { Lens, TimeLiteral, Token } from '../model/diagnostics.ts';

/** What is known about one text. */
export interface Known {
  readonly tokens: readonly Token[];
  readonly lenses: readonly Lens[];
  readonly literals: readonly TimeLiteral[];
  readonly language: 'en' | 'zh';
}

/** Replaces what is known. Its positions are those of the text as it is now. */
export const setKnown = StateEffect.define<Known>();

interface Overlay {
  readonly marks: DecorationSet;
  readonly lenses: RangeSet<LensMarker>;
  readonly literals: readonly TimeLiteral[];
}

const NOTHING: Overlay = { marks: Decoration.none, lenses: RangeSet.empty, literals: [] };

const overlay = StateField.define<Overlay>({
  create: () => NOTHING,
  update(value, transaction) {
    let next = value;
    if (transaction.docChanged) {
      const { changes } = transaction;
      next = {
        marks: next.marks.map(changes),
        lenses: next.lenses.map(changes),
        literals: next.literals.map((literal) => ({
          ...literal,
          span: { from: changes.mapPos(literal.span.from), to: changes.mapPos(literal.span.to) },
        })),
      };
    }
    for (const effect of transaction.effects) {
      if (effect.is(setKnown)) next = overlayOf(transaction.state, effect.value);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.marks),
});

function overlayOf(state: EditorState, known: Known): Overlay {
  const { length } = state.doc;
  const marks: Range<Decoration>[] = [];
  const mark = (span: { from: number; to: number }, classes: string, title?: string) => {
    if (span.to > length || span.from >= span.to) return;
    const attributes = title === undefined ? {} : { attributes: { title } };
    marks.push(Decoration.mark({ class: classes, ...attributes }).range(span.from, span.to));
  };
  for (const token of known.tokens) mark(token, `t-${token.kind}`);
  for (const lens of known.lenses) {
    if (lens.kind !== 'bounded') mark(lens.span, `u-${lens.kind}`, lens.message[known.language]);
  }
  for (const literal of known.literals) mark(literal.span, 'scrubby');
  const lenses = known.lenses
    .filter((lens) => lens.span.from <= length)
    .map((lens) => {
      const line = state.doc.lineAt(lens.span.from);
      return new LensMarker(lens, known.language).range(line.from);
    });
  return {
    marks: Decoration.set(marks, true),
    lenses: RangeSet.of(onePerLine(lenses), true),
    literals: known.literals,
  };
}

const GRAVITY: readonly Lens['kind'][] = ['unbounded', 'bounded', 'updates'];

function onePerLine(ranges: readonly Range<LensMarker>[]): Range<LensMarker>[] {
  const by = new Map<number, Range<LensMarker>>();
  for (const range of ranges) {
    const known = by.get(range.from);
    const rank = (each: Range<LensMarker>) => GRAVITY.indexOf(each.value.kind);
    if (known === undefined || rank(range) < rank(known)) by.set(range.from, range);
  }
  return [...by.values()];
}

/** Path of each lens on a 16 px grid. */
const PATHS: Readonly<Record<Lens['kind'], string>> = {
  bounded:
    'M5 7h6a1.6 1.6 0 0 1 1.6 1.6v3.2a1.6 1.6 0 0 1-1.6 1.6H5a1.6 1.6 0 0 1-1.6-1.6V8.6A1.6 1.6 0 0 1 5 7zM5.4 7V5.2a2.6 2.6 0 0 1 5.2 0V7',
  unbounded:
    'M8 8C6.6 6.1 5.5 5.2 4.1 5.2a2.8 2.8 0 0 0 0 5.6C5.5 10.8 6.6 9.9 8 8s2.5-2.8 3.9-2.8a2.8 2.8 0 0 1 0 5.6C10.5 10.8 9.4 9.9 8 8z',
  updates: 'M3 5.8h8.5M9.3 3.4l2.4 2.4-2.4 2.4M13 10.2H4.5M6.7 7.8l-2.4 2.4 2.4 2.4',
};

class LensMarker extends GutterMarker {
  readonly #lens: Lens;
  readonly #language: 'en' | 'zh';

  constructor(lens: Lens, language: 'en' | 'zh') {
    super();
    this.#lens = lens;
    this.#language = language;
  }

  get kind(): Lens['kind'] {
    return this.#lens.kind;
  }

  override eq(other: GutterMarker): boolean {
    return (
      other instanceof LensMarker &&
      other.kind === this.kind &&
      other.#lens.message.en === this.#lens.message.en &&
      other.#language === this.#language
    );
  }

  override toDOM(): Node {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 16 16');
    svg.setAttribute('width', '11');
    svg.setAttribute('height', '11');
    svg.setAttribute('class', `cm-lens ${this.kind}`);
    svg.setAttribute('role', 'img');
    const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    title.textContent = this.#lens.message[this.#language];
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', PATHS[this.kind]);
    path.setAttribute('fill', 'none');
    path.setAttribute('stroke', 'currentColor');
    path.setAttribute('stroke-width', '1.6');
    path.setAttribute('stroke-linecap', 'round');
    path.setAttribute('stroke-linejoin', 'round');
    svg.append(title, path);
    return svg;
  }
}

/** Sets off a stretch of the text, or none. */
export const setHot = StateEffect.define<{ from: number; to: number } | undefined>();

const hotMark = Decoration.mark({ class: 'hot' });

const hot = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setHot)) continue;
      const span = effect.value;
      const fits =
        span !== undefined && span.from < span.to && span.to <= transaction.state.doc.length;
      next = fits ? Decoration.set(hotMark.range(span.from, span.to)) : Decoration.none;
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The literal at a position, if it can be changed. */
export function literalAt(state: EditorState, at: number): TimeLiteral | undefined {
  return state.field(overlay).literals.find(({ span }) => at >= span.from && at <= span.to);
}

/** The field, and the gutter that shows lenses. */
export const knownOverlay = [
  overlay,
  hot,
  gutter({
    class: 'cm-lenses',
    markers: (view) => view.state.field(overlay).lenses,
  }),
];
