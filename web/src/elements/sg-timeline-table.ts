/** `<sg-timeline-table>`: the timeline as a table: arrival, row, watermark, outcome. Property: `model`. */
import { css, html, type TemplateResult } from 'lit';
import { outcomeAt } from '../model/view.ts';
import { define, formatsOf, SgElement } from './element.ts';
import { shared } from './shared.ts';

/** Rows around the playhead that are in the document. */
const WINDOWED = 60;

export class SgTimelineTable extends SgElement {
  static override relaxed = true;
  static override styles = [
    shared,
    css`
      :host {
        display: block;
        min-block-size: 0;
      }
      .rows {
        block-size: 100%;
        overflow: auto;
        padding: 0 14px 12px;
        outline-offset: -2px;
      }
      table {
        inline-size: 100%;
        border-collapse: collapse;
        font: 500 11.5px/1.4 var(--mono);
      }
      th {
        position: sticky;
        inset-block-start: 0;
        background: var(--surface);
        text-align: start;
        font: 500 11px var(--ui);
        color: var(--ink-3);
        padding: 6px 8px;
        box-shadow: inset 0 -1px var(--line);
      }
      td {
        padding: 3px 8px;
        white-space: nowrap;
      }
      tr.now td {
        background: var(--surface-3);
      }
      tr.future td {
        color: var(--ink-3);
      }
      .drop {
        color: var(--alarm-ink);
      }
      .behind {
        color: var(--ua-ink);
      }
    `,
  ];

  override render(): TemplateResult {
    const { model, t } = this;
    void model.grown.value;
    const recording = model.recording.value;
    const query = recording?.queries[model.lane.value];
    const table = model.marks.value;
    if (recording === undefined || query === undefined || table === undefined) return html``;
    const step = model.step.value;
    const formats = formatsOf(model, t);
    const last = table.marks.length;
    const from = Math.max(0, Math.min(last - WINDOWED, step - WINDOWED / 2));
    const head = t.timeline.tableHead;
    return html`<div class="rows" tabindex="0" role="region" aria-label=${t.timeline.asTable}><table aria-label=${t.timeline.title}>
      <thead>
        <tr>
          ${[head.slot, head.time, head.partition, head.row, head.eventTime, head.watermark, head.outcome].map((words) => html`<th scope="col">${words}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${table.marks.slice(from, from + WINDOWED).map((mark) => {
          const arrival = recording.marks[mark.step];
          const watermark = query.tracks.watermark.at(mark.step);
          const future = mark.step > step;
          const { words, tone } = this.#outcome(mark.step, mark.control);
          const row = (arrival?.cells ?? []).map((cell) => cell ?? 'NULL').join(' ');
          return html`<tr
            class="${mark.step === step ? 'now' : ''} ${future ? 'future' : ''}"
            aria-current=${mark.step === step ? 'step' : 'false'}
          >
            <td>${mark.step + 1}</td>
            <td>${formats.full(arrival?.atMs ?? 0)}</td>
            <td>${mark.partition}</td>
            <td>${mark.control ? arrival?.kind : row}</td>
            <td>${mark.rowtimeMs === undefined ? '—' : formats.full(mark.rowtimeMs)}</td>
            <td>${future || watermark === undefined ? '—' : formats.full(watermark)}</td>
            <td class=${tone}>${future ? t.timeline.outcome.future : words}</td>
          </tr>`;
        })}
      </tbody>
    </table></div>`;
  }

  #outcome(step: number, control: boolean): { words: string; tone: string } {
    const { model, t } = this;
    const recording = model.recording.value;
    const query = recording?.queries[model.lane.value];
    if (control || recording === undefined || query === undefined) {
      return { words: t.timeline.outcome.control, tone: '' };
    }
    const { late, behind } = outcomeAt(recording, query, step);
    if (late !== undefined) {
      return { words: t.timeline.outcome.dropped(t.length(late.byMs)), tone: 'drop' };
    }
    return behind
      ? { words: t.timeline.outcome.behind, tone: 'behind' }
      : { words: t.timeline.outcome.counted, tone: '' };
  }
}

define('sg-timeline-table', SgTimelineTable);
