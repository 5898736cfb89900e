/** SQL as highlighted text from the engine's tokens: what is seen where there is no editor. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Analysis, Lens, Token } from '../model/diagnostics.ts';
import { icon } from './icon.ts';

export const codeStyles = css`
  .code {
    margin: 0;
    padding: 2px 0 6px;
    font: 400 var(--code-size, 12px) / var(--code-line, 18.5px) var(--mono);
    tab-size: 2;
    counter-reset: line;
    inline-size: max-content;
    min-inline-size: 100%;
  }
  .code > div {
    position: relative;
    padding: 0 8px;
    white-space: pre;
    min-block-size: var(--code-line, 18.5px);
  }
  .code.numbers > div {
    padding-inline-start: 38px;
  }
  .code.numbers > div::before {
    counter-increment: line;
    content: counter(line);
    position: absolute;
    inset-inline-start: 0;
    inline-size: 24px;
    text-align: end;
    color: var(--ink-4);
    font-size: 10.5px;
  }
  .keyword,
  .type {
    color: var(--c-kw);
    font-weight: 500;
  }
  .function {
    color: var(--c-fn);
  }
  .number {
    color: var(--c-num);
  }
  .string {
    color: var(--c-str);
  }
  .comment {
    color: var(--c-com);
  }
  .lens {
    position: absolute;
    inset-inline-start: 4px;
    inset-block-start: 4px;
  }
  .lens.bounded {
    color: var(--water);
  }
  .lens.unbounded {
    color: var(--alarm);
  }
  .lens.updates {
    color: var(--ua);
  }
  .u-unbounded,
  .u-error {
    text-decoration: underline wavy var(--alarm) 1px;
    text-underline-offset: 3px;
  }
  .u-updates,
  .u-unsupported,
  .u-warning {
    text-decoration: underline wavy var(--ua) 1px;
    text-underline-offset: 3px;
  }
  .marked {
    background: var(--water-soft);
    border-radius: 3px;
    box-shadow: 0 0 0 2px var(--water-soft);
  }
`;

/** Icon of a lens. */
export const LENS_ICON = { bounded: 'lock', unbounded: 'infinity', updates: 'updates' } as const;

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly classes: string;
}

/** The text in lines with classes for tokens, lenses and problems. */
export function highlighted(
  text: string,
  by: {
    analysis: Analysis | undefined;
    mark: string;
    numbers: boolean;
    language: 'en' | 'zh';
  },
): TemplateResult {
  const lenses = by.analysis?.lenses ?? [];
  const marks = marksOf(text, by);
  const lines: TemplateResult[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const end = at + line.length;
    const lens = by.numbers ? lensOn(lenses, at, end) : undefined;
    const cuts = cutsWithin(by.analysis?.tokens ?? [], marks, { from: at, to: end });
    lines.push(
      html`<div>${lens === undefined ? nothing : html`<span class="lens ${lens.kind}" title=${lens.message[by.language]}>${icon(LENS_ICON[lens.kind], 11)}</span>`}${cuts.map(
        (cut) => html`<span class=${cut.classes}>${text.slice(cut.from, cut.to)}</span>`,
      )}</div>`,
    );
    at = end + 1;
  }
  return html`<div class="code ${by.numbers ? 'numbers' : ''}">${lines}</div>`;
}

function lensOn(lenses: readonly Lens[], from: number, to: number): Lens | undefined {
  const order: readonly Lens['kind'][] = ['unbounded', 'bounded', 'updates'];
  return lenses
    .filter((lens) => lens.span.from >= from && lens.span.from <= to)
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))[0];
}

function marksOf(
  text: string,
  by: { analysis: Analysis | undefined; mark: string },
): readonly Cut[] {
  const marks: Cut[] = [];
  for (const lens of by.analysis?.lenses ?? []) {
    if (lens.kind !== 'bounded') marks.push({ ...lens.span, classes: `u-${lens.kind}` });
  }
  for (const problem of by.analysis?.diagnostics ?? []) {
    marks.push({ ...problem.span, classes: `u-${problem.severity}` });
  }
  const at = by.mark === '' ? -1 : text.indexOf(by.mark);
  if (at >= 0) marks.push({ from: at, to: at + by.mark.length, classes: 'marked' });
  return marks;
}

/** Cuts a line at every edge of a token or a mark. */
function cutsWithin(
  tokens: readonly Token[],
  marks: readonly Cut[],
  line: { from: number; to: number },
): Cut[] {
  const inLine = (span: { from: number; to: number }) => span.from < line.to && span.to > line.from;
  const mine = tokens.filter(inLine);
  const overlays = marks.filter(inLine);
  const edges = new Set([line.from, line.to]);
  for (const span of [...mine, ...overlays]) {
    edges.add(Math.max(line.from, span.from));
    edges.add(Math.min(line.to, span.to));
  }
  const rising = [...edges].sort((a, b) => a - b);
  return rising.slice(0, -1).map((from, at) => {
    const to = rising[at + 1] ?? line.to;
    const over = (span: { from: number; to: number }) => span.from <= from && span.to >= to;
    const token = mine.find(over);
    const classes = [token?.kind ?? '', ...overlays.filter(over).map((mark) => mark.classes)];
    return { from, to, classes: classes.join(' ').trim() };
  });
}
