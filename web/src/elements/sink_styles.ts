/** Styles of the sinks' books. */
import { css } from 'lit';

export const sinkStyles = css`
  :host {
    display: block;
  }
  p {
    margin: 0 0 8px;
    font-size: 12.5px;
    line-height: 1.55;
    color: var(--ink-2);
  }
  code {
    font: 500 0.92em var(--mono);
  }
  .note {
    font-size: 11.5px;
    color: var(--ink-3);
    overflow-wrap: anywhere;
  }
  h2 {
    display: flex;
    align-items: center;
    gap: 8px;
    margin: 16px 0 8px;
    font: 600 13px/1.3 var(--ui);
  }
  .sink {
    border: 1px solid var(--line);
    border-radius: var(--r-l);
    padding: 10px 12px;
    margin-block-end: 8px;
  }
  .sink > :last-child {
    margin-block-end: 0;
  }
  summary {
    list-style: none;
    cursor: pointer;
    border-radius: var(--r-s);
  }
  summary::-webkit-details-marker {
    display: none;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 7px;
    font-size: 13px;
    min-inline-size: 0;
  }
  .head > .i {
    display: none;
    color: var(--ink-3);
  }
  summary .head > .i {
    display: block;
    transform: rotate(-90deg);
  }
  details[open] summary .head > .i {
    transform: none;
  }
  .head b {
    font: 600 12.5px var(--mono);
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .kind {
    font-size: 11.5px;
    color: var(--ink-3);
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .sum {
    font-size: 11.5px;
    color: var(--ink-2);
    white-space: nowrap;
  }
  .tag + p,
  .head + p,
  summary + p {
    margin-block-start: 8px;
  }
  .warn {
    display: flex;
    gap: 6px;
    padding: 6px 8px;
    border-radius: var(--r-m);
    background: var(--alarm-soft);
    color: var(--alarm-ink);
    font-size: 12px;
  }
  .received {
    display: flex;
    gap: 12px;
    align-items: center;
    font-size: 12px;
    margin-block-end: 8px;
  }
  .received span {
    display: inline-flex;
    gap: 4px;
    align-items: center;
    font-weight: 500;
  }
  .received > span:first-child {
    color: var(--ink-3);
    font-weight: 400;
    flex: 1;
  }
  .zero {
    color: var(--ink-3);
  }
  .zero .rk {
    opacity: 0.45;
  }
  .effects {
    display: flex;
    gap: 5px;
  }
  .effects span {
    flex: 1;
    text-align: center;
    background: var(--surface-2);
    border-radius: 5px;
    padding: 5px 2px 4px;
    font: 400 10.5px/1.2 var(--ui);
    color: var(--ink-3);
  }
  .effects b {
    display: block;
    font: 600 14px/1.15 var(--mono);
    color: var(--ink);
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 4px 12px;
    margin: 10px 0;
    font-size: 12px;
  }
  dt {
    color: var(--ink-3);
  }
  dd {
    margin: 0;
    text-align: end;
    font-weight: 500;
  }
  .high {
    color: var(--ua-ink);
    font-weight: 600;
  }
  .log {
    display: flex;
    flex-wrap: wrap;
    gap: 3px;
    margin: 10px 0 8px;
    padding: 0;
    list-style: none;
  }
  .log li {
    inline-size: 13px;
    block-size: 18px;
    border-radius: 3px;
    background: var(--ins);
  }
  .log .take {
    background: none;
    border: 1.5px solid var(--ub);
  }
  .log .tombstone {
    background: none;
    border: 1.5px solid var(--del);
    border-radius: 3px 3px 0 0;
  }
  .log .old {
    opacity: 0.25;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 11.5px;
    margin: 0 0 10px;
  }
  th {
    font-weight: 500;
    color: var(--ink-3);
    text-align: end;
    padding: 3px 0;
    white-space: nowrap;
  }
  th:first-child {
    text-align: start;
  }
  tbody th,
  td {
    border-block-start: 1px solid var(--line);
    padding: 4px 0;
  }
  tbody th {
    font: 500 11px var(--mono);
    color: var(--ink-2);
  }
  tbody i {
    font: 400 11px var(--ui);
    color: var(--ink-3);
  }
  td {
    text-align: end;
    font: 600 11px var(--mono);
  }
  .file {
    display: inline-block;
    min-inline-size: 22px;
    padding: 2px 6px;
    text-align: center;
    border-radius: 3px 7px 3px 3px;
    background: var(--ins-soft);
    color: var(--ins-ink);
  }
  .file.del {
    background: var(--del-soft);
    color: var(--del-ink);
  }
  .file.eq {
    box-shadow: inset 0 0 0 1px var(--del);
  }
  .open .file {
    background: none;
    outline: 1px dashed currentColor;
    outline-offset: -1px;
    box-shadow: none;
  }
`;
