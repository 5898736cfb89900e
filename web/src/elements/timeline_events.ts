/** Events of the timeline as buttons for keyboard and screen reader: the marks near the playhead. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { styleMap } from 'lit/directives/style-map.js';
import { markPlace } from '../draw/marks.ts';
import type { TimelineLayers } from '../draw/timeline.ts';
import { formatsOf } from './element.ts';
import type { SgTimeline } from './sg-timeline.ts';

/** Buttons that exist at a time. */
const BUTTONS = 50;
const SECOND = 1000;

/** Buttons over the marks that are nearest to the playhead. */
export function eventButtons(
  timeline: SgTimeline,
  layers: TimelineLayers | undefined,
): TemplateResult | typeof nothing {
  const { model, t } = timeline;
  const table = model.marks.value;
  const recording = model.recording.value;
  if (table === undefined || recording === undefined) return nothing;
  const step = model.step.value;
  const from = Math.max(0, Math.min(table.marks.length - BUTTONS, step - BUTTONS / 2));
  const shown = table.marks.slice(from, from + BUTTONS).filter((mark) => !mark.control);
  const current = focusable(shown, step);
  const { full } = formatsOf(model, t);
  return html`${repeat(
    shown,
    (mark) => mark.step,
    (mark) => {
      const place = layers === undefined ? { x: 0, y: 0 } : markPlace(layers.stage, mark);
      const row = (recording.marks[mark.step]?.cells ?? []).map((cell) => cell ?? 'NULL').join(' ');
      const time = mark.rowtimeMs === undefined ? '—' : full(mark.rowtimeMs);
      const position = String(mark.step + 1);
      return html`<button
        type="button"
        data-step=${mark.step}
        tabindex=${mark.step === current ? 0 : -1}
        style=${styleMap({ insetInlineStart: `${place.x}px`, insetBlockStart: `${place.y}px` })}
        aria-label="${t.timeline.event(row, time, mark.partition, position)}. ${t.timeline.eventHelp}"
        @focus=${() => timeline.intent({ kind: 'touch', step: mark.step })}
        @blur=${() => timeline.intent({ kind: 'touch', step: undefined })}
      ></button>`;
    },
  )}`;
}

/** The one mark that Tab reaches: that of the slot, or the nearest before it. */
function focusable(shown: readonly { step: number }[], step: number): number | undefined {
  return (shown.findLast((mark) => mark.step <= step) ?? shown[0])?.step;
}

/** Arrow keys on an event: its arrival, with Alt its event time, with Ctrl the next event. */
export function moveByKey(timeline: SgTimeline, event: KeyboardEvent): void {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return;
  const step = Number(target.dataset['step']);
  if (!Number.isInteger(step)) return;
  const across = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  const up = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
  if (across === 0 && up === 0) return;
  const { model } = timeline;
  if (across !== 0 && (event.ctrlKey || !timeline.movable)) {
    focusStep(timeline, step + across);
  } else if (across !== 0) {
    const last = (model.recording.value?.slots ?? 1) - 1;
    const to = Math.max(0, Math.min(last, step + across));
    timeline.intent({ kind: 'move-event', step, to });
    focusStep(timeline, to);
  } else if (event.altKey && timeline.movable) {
    const ms = model.marks.value?.marks[step]?.rowtimeMs;
    if (ms === undefined) return;
    timeline.intent({
      kind: 'shift-event-time',
      step,
      ms: ms + up * SECOND * (event.shiftKey ? 10 : 1),
    });
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function focusStep(timeline: SgTimeline, step: number): void {
  timeline.renderRoot.querySelector<HTMLElement>(`[data-step="${step}"]`)?.focus();
}
