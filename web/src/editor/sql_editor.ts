/** The SQL editor: CodeMirror with what the engine knows. Lives in a chunk of its own. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { EditorSetup, EditorState as Shown, SqlEditor } from '../model/editor.ts';
import { knownOverlay, setHot, setKnown } from './decorations.ts';
import { scrubbing } from './literals.ts';
import { completionSource, hoverSource, lintFrom, type SqlServices } from './services.ts';
import { sqlTheme } from './theme.ts';

/** Marks a change that came from outside, so that it is not reported back. */
const fromOutside = Annotation.define<boolean>();

const SQL_DATA = {
  commentTokens: { line: '--', block: { open: '/*', close: '*/' } },
  closeBrackets: { brackets: ['(', '[', "'", '`'] },
};

/** Makes an editor in its host. */
export function createSqlEditor(services: SqlServices, setup: EditorSetup): SqlEditor {
  let language: 'en' | 'zh' = 'en';
  const speak = () => language;
  const text = (state: EditorState) => state.doc.toString();
  const view = new EditorView({
    parent: setup.host,
    root: setup.root,
    state: EditorState.create({
      doc: setup.text,
      extensions: [
        knownOverlay,
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        EditorState.languageData.of(() => [SQL_DATA]),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({
          'aria-label': setup.label,
          tabindex: '0',
          spellcheck: 'false',
          autocorrect: 'off',
          autocapitalize: 'off',
        }),
        autocompletion({
          override: [completionSource(services, setup.lane, speak)],
          activateOnTyping: true,
          icons: false,
        }),
        hoverTooltip(hoverSource(services, setup.lane, speak)),
        scrubbing(setup.onLiteral),
        Prec.highest(
          keymap.of([
            {
              key: 'Mod-Enter',
              run: ({ state }) => {
                setup.onRun(text(state));
                return true;
              },
            },
          ]),
        ),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          const ours = update.transactions.some((each) => each.annotation(fromOutside) === true);
          if (update.docChanged && !ours) setup.onChange(text(update.state));
        }),
        sqlTheme,
      ],
    }),
  });
  let troubled = false;
  return {
    update: (shown) => {
      language = shown.language;
      show(view, shown);
      const now = shown.diagnostics.length > 0;
      // The message below takes room from the editor: the line that is written stays in sight.
      if (now && !troubled && view.hasFocus) {
        view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
      }
      troubled = now;
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Text from outside replaces the editor's; knowledge is laid over it only where it is about this text. */
function show(view: EditorView, shown: Shown): void {
  const present = view.state.doc.toString();
  if (present !== shown.text) {
    view.dispatch({
      changes: { from: 0, to: present.length, insert: shown.text },
      annotations: fromOutside.of(true),
    });
  }
  const { tokens, lenses, literals, language } = shown;
  if (tokens.length > 0 || shown.text === '') {
    view.dispatch({ effects: setKnown.of({ tokens, lenses, literals, language }) });
  }
  view.dispatch({ effects: setHot.of(shown.hot) });
  const problems = lintFrom(shown.diagnostics, view.state.doc.length, language);
  view.dispatch(setDiagnostics(view.state, problems));
}
