/** How the editor looks: tokens of the page, nothing of its own. */
import { EditorView } from '@codemirror/view';

/** Theme of all SQL editors. */
export const sqlTheme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: 'var(--code-size, 12px)',
    color: 'var(--ink)',
    background: 'transparent',
  },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-content': { caretColor: 'var(--ink)' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: 'var(--code-line, 18.5px)',
    fontVariantLigatures: 'none',
    scrollbarWidth: 'none',
  },
  '.cm-content': { padding: '2px 0 6px' },
  '.cm-line': { padding: '0 8px 0 4px' },
  '.cm-gutters': { background: 'var(--surface)', border: '0', color: 'var(--ink-4)' },
  '.cm-lineNumbers .cm-gutterElement': {
    minWidth: '18px',
    padding: '0 9px 0 0',
    fontSize: '10.5px',
  },
  '.cm-lenses': { width: '16px' },
  '.cm-lenses .cm-gutterElement': { display: 'flex', alignItems: 'center', paddingLeft: '4px' },
  '.cm-lens': { display: 'block' },
  '.cm-lens.bounded': { color: 'var(--water)' },
  '.cm-lens.unbounded': { color: 'var(--alarm)' },
  '.cm-lens.updates': { color: 'var(--ua)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'transparent' },
  '&.cm-focused .cm-activeLine': { background: 'var(--surface-2)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { background: 'var(--ins-soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.t-keyword, .t-type': { color: 'var(--c-kw)', fontWeight: '500' },
  '.t-function': { color: 'var(--c-fn)' },
  '.t-number': { color: 'var(--c-num)' },
  '.t-string': { color: 'var(--c-str)' },
  '.t-comment': { color: 'var(--c-com)' },
  '.u-unbounded, .cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--alarm) 1px',
    textUnderlineOffset: '3px',
  },
  '.u-updates, .cm-lintRange-warning, .cm-lintRange-info, .cm-lintRange-hint': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--ua) 1px',
    textUnderlineOffset: '3px',
  },
  '.hot': { background: 'var(--fresh)', borderRadius: '3px' },
  '.scrubby': {
    borderBottom: '1.5px dashed var(--c-num)',
    cursor: 'ew-resize',
    color: 'var(--c-num)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    background: 'var(--surface-3)',
    outline: '1px solid var(--line-2)',
  },
  '.cm-tooltip': {
    background: 'var(--surface)',
    border: '1px solid var(--line-2)',
    borderRadius: 'var(--r-m)',
    boxShadow: 'var(--shadow-pop)',
    color: 'var(--ink)',
    font: '400 12px/1.5 var(--ui)',
    overflow: 'hidden',
    maxWidth: '380px',
  },
  '.cm-tooltip .about': { padding: '7px 10px' },
  '.cm-tooltip .about code': { fontFamily: 'var(--mono)', fontWeight: '600' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    font: '400 12px/1.6 var(--mono)',
    maxHeight: '220px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--ink)',
    color: 'var(--surface)',
  },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal', marginLeft: '10px' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-diagnostic': { padding: '7px 10px', borderLeft: '3px solid var(--alarm)' },
  '.cm-diagnostic-warning, .cm-diagnostic-info, .cm-diagnostic-hint': {
    borderLeftColor: 'var(--ua)',
  },
  '.cm-diagnosticAction': {
    background: 'var(--ink)',
    color: 'var(--surface)',
    borderRadius: 'var(--r-s)',
    padding: '2px 8px',
  },
});
