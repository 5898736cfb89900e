/** Completion, hover and problems from the engine in the shapes that the editor takes. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Diagnostic as LintDiagnostic } from '@codemirror/lint';
import type { EditorView, Tooltip } from '@codemirror/view';
import { plain } from '../i18n/language.ts';
import type { Diagnostic, Completion as EngineCompletion, Hover } from '../model/diagnostics.ts';

/** What the page answers about a text; positions are those of the text. */
export interface SqlServices {
  complete(lane: number, text: string, at: number): Promise<readonly EngineCompletion[]>;
  hover(lane: number, text: string, at: number): Promise<Hover | null>;
}

const TYPES: Readonly<Record<EngineCompletion['kind'], string>> = {
  keyword: 'keyword',
  function: 'function',
  table: 'class',
  column: 'property',
  type: 'type',
  snippet: 'text',
};

/** A completion source for one query. */
export function completionSource(
  services: SqlServices,
  lane: number,
  language: () => 'en' | 'zh',
): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    const word = context.matchBefore(/[\w$.]*/);
    if (!context.explicit && (word === null || word.from === word.to)) return null;
    const text = context.state.doc.toString();
    const found = await services.complete(lane, text, context.pos);
    const [first] = found;
    if (first === undefined || context.aborted) return null;
    return {
      from: first.span.from,
      options: found.map((each): Completion => {
        const doc = each.doc === null ? '' : plain(each.doc[language()]);
        return {
          label: each.label,
          type: TYPES[each.kind],
          detail: each.detail,
          apply: each.insert,
          ...(doc === '' ? {} : { info: doc }),
        };
      }),
      validFor: /^[\w$]*$/,
    };
  };
}

/** A hover tip for one query. */
export function hoverSource(
  services: SqlServices,
  lane: number,
  language: () => 'en' | 'zh',
): (view: EditorView, at: number) => Promise<Tooltip | null> {
  return async (view, at) => {
    const found = await services.hover(lane, view.state.doc.toString(), at);
    if (found === null) return null;
    return {
      pos: found.span.from,
      end: found.span.to,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'about';
        const title = document.createElement('code');
        title.textContent = found.title;
        const body = document.createElement('div');
        body.textContent = plain(found.text[language()]);
        dom.append(title, body);
        return { dom };
      },
    };
  };
}

const SEVERITY = {
  error: 'error',
  unsupported: 'warning',
  warning: 'warning',
  hint: 'hint',
} as const;

/** Problems as the editor underlines them, with fixes as actions. */
export function lintFrom(
  diagnostics: readonly Diagnostic[],
  length: number,
  language: 'en' | 'zh',
): LintDiagnostic[] {
  const within = (at: number) => Math.max(0, Math.min(length, at));
  return diagnostics.map((each) => ({
    from: within(each.span.from),
    to: Math.max(within(each.span.from), within(each.span.to)),
    severity: SEVERITY[each.severity],
    message: [each.message, ...each.notes].map((text) => plain(text[language])).join('\n'),
    actions: each.fixes.map((fix) => ({
      name: plain(fix.title[language]),
      apply: (view: EditorView) => {
        const changes = fix.edits.map(({ from, to, text }) => ({ from, to, insert: text }));
        view.dispatch({ changes });
      },
    })),
  }));
}
