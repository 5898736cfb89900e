/** Literals that control time: dragged sideways, or changed with Alt ↑ ↓. */
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { literalAt } from './decorations.ts';

/** Pixels of dragging per unit. */
const PX_PER_UNIT = 5;

/** Calls back with the whole text after a literal was changed. */
export function scrubbing(changed: (text: string) => void): Extension {
  let drag: { from: number; x: number; value: number; digits: number } | undefined;
  const put = (view: EditorView, from: number, digits: number, value: number): number => {
    const words = String(Math.max(0, value));
    view.dispatch({ changes: { from, to: from + digits, insert: words } });
    changed(view.state.doc.toString());
    return words.length;
  };
  const by = (step: number) => (view: EditorView) => {
    const literal = literalAt(view.state, view.state.selection.main.head);
    if (literal === undefined) return false;
    const found = digitsIn(view, literal.span);
    if (found === undefined) return false;
    put(view, found.from, found.text.length, Number(found.text) + step);
    return true;
  };
  return [
    Prec.high(
      keymap.of([
        { key: 'Alt-ArrowUp', run: by(1), shift: by(10) },
        { key: 'Alt-ArrowDown', run: by(-1), shift: by(-10) },
      ]),
    ),
    EditorView.domEventHandlers({
      pointerdown(event, view) {
        const target = event.target;
        if (!(target instanceof Element) || target.closest('.scrubby') === null) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        const literal = at === null ? undefined : literalAt(view.state, at);
        const found = literal === undefined ? undefined : digitsIn(view, literal.span);
        if (found === undefined) return false;
        const { from, text } = found;
        drag = { from, x: event.clientX, value: Number(text), digits: text.length };
        view.contentDOM.setPointerCapture(event.pointerId);
        return false;
      },
      pointermove(event, view) {
        if (drag === undefined) return false;
        const steps = Math.round((event.clientX - drag.x) / PX_PER_UNIT);
        if (steps === 0 && drag.digits === String(drag.value).length) return false;
        const digits = put(view, drag.from, drag.digits, drag.value + steps);
        drag = { ...drag, digits };
        event.preventDefault();
        return true;
      },
      pointerup() {
        drag = undefined;
        return false;
      },
      pointercancel() {
        drag = undefined;
        return false;
      },
    }),
  ];
}

function digitsIn(
  view: EditorView,
  span: { from: number; to: number },
): { from: number; text: string } | undefined {
  const text = view.state.sliceDoc(span.from, span.to);
  const match = /\d+/.exec(text);
  return match === null ? undefined : { from: span.from + match.index, text: match[0] };
}
