/** Styles that several elements have in common. */
import { css } from 'lit';

/** Resets, focus, buttons, tags. */
export const shared = css`
  :host {
    color: var(--ink);
    font: 400 var(--t-m) / 1.45 var(--ui);
    font-feature-settings: 'tnum', 'cv05', 'ss03';
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none;
  }
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    cursor: pointer;
    background: none;
    border: 0;
    padding: 0;
  }
  button:disabled {
    opacity: 0.35;
    cursor: not-allowed;
  }
  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 2px;
    border-radius: var(--r-s);
  }
  .i {
    flex: none;
    display: block;
  }
  .rk {
    flex: none;
    display: inline-flex;
  }
  .rk.ins {
    color: var(--ins);
  }
  .rk.ub {
    color: var(--ub);
  }
  .rk.ua {
    color: var(--ua);
  }
  .rk.del {
    color: var(--del);
  }
  .mono {
    font-family: var(--mono);
    font-variant-ligatures: none;
  }
  .grow {
    flex: 1;
    min-inline-size: 0;
  }
  .sr {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .ab {
    display: inline-grid;
    place-items: center;
    inline-size: 19px;
    block-size: 19px;
    border-radius: 5px;
    font: 700 var(--t-s) / 1 var(--ui);
    flex: none;
  }
  .ab[data-lane='0'] {
    background: var(--ink);
    color: var(--surface);
  }
  .ab[data-lane='1'] {
    box-shadow: inset 0 0 0 1.5px var(--ink);
    color: var(--ink);
  }
  .tag {
    display: inline-flex;
    align-items: center;
    gap: var(--s1);
    block-size: 19px;
    padding: 0 7px 0 5px;
    border-radius: var(--r-full);
    font-size: 11px;
    font-weight: 500;
    white-space: nowrap;
    background: var(--surface-3);
    color: var(--ink-2);
  }
  .tag.plain {
    padding: 0 7px;
  }
  .tag.good {
    background: var(--water-soft);
    color: var(--water-ink);
  }
  .tag.bad {
    background: var(--alarm-soft);
    color: var(--alarm-ink);
  }
  .tag.ua {
    background: var(--ua-soft);
    color: var(--ua-ink);
    padding: 0 7px;
  }
  .btn {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    block-size: 26px;
    padding: 0 10px;
    border-radius: var(--r-m);
    border: 1px solid var(--line-2);
    font-size: 12px;
    font-weight: 500;
    background: var(--surface);
    white-space: nowrap;
  }
  .btn:hover {
    border-color: var(--ink-3);
  }
  .btn.pri {
    background: var(--ink);
    color: var(--surface);
    border-color: var(--ink);
  }
  .tb {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    block-size: 28px;
    padding: 0 9px;
    border-radius: var(--r-m);
    color: var(--ink-2);
    font-size: 12.5px;
    font-weight: 500;
    white-space: nowrap;
    text-decoration: none;
  }
  .tb .i {
    color: var(--ink-3);
  }
  .tb:hover {
    background: var(--surface-3);
  }
  .seg {
    display: flex;
    border: 1px solid var(--line-2);
    border-radius: var(--r-m);
    overflow: hidden;
    block-size: 26px;
    flex: none;
  }
  .seg button {
    flex: 1;
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 5px;
    padding: 0 7px;
    font: 500 12px var(--mono);
    color: var(--ink-2);
    border-inline-start: 1px solid var(--line);
  }
  .seg button:first-child {
    border: 0;
  }
  .seg button[aria-checked='true'] {
    background: var(--ink);
    color: var(--surface);
  }
  .seg button:focus-visible {
    outline-offset: -3px;
  }
  .cnt {
    display: inline-block;
    min-inline-size: 16px;
    block-size: 16px;
    padding: 0 4px;
    border-radius: 8px;
    background: var(--ink);
    color: var(--surface);
    font: 600 10.5px/16px var(--ui);
    text-align: center;
  }
  b {
    font-weight: 600;
  }
  b.alarm {
    color: var(--alarm-ink);
  }
  b.good {
    color: var(--water-ink);
  }
  code {
    font-family: var(--mono);
    font-size: 0.94em;
  }
  input[type='range'] {
    appearance: none;
    block-size: 16px;
    background: none;
    margin: 0;
    cursor: pointer;
  }
  input[type='range']::-webkit-slider-runnable-track {
    block-size: 3px;
    border-radius: 2px;
    background: linear-gradient(to right, var(--ink-2) var(--v, 50%), var(--line-2) var(--v, 50%));
  }
  input[type='range']::-webkit-slider-thumb {
    appearance: none;
    inline-size: 13px;
    block-size: 13px;
    margin-block-start: -5px;
    border-radius: 50%;
    background: var(--surface);
    border: 2px solid var(--ink);
  }
  input[type='range']::-moz-range-track {
    block-size: 3px;
    border-radius: 2px;
    background: var(--line-2);
  }
  input[type='range']::-moz-range-progress {
    block-size: 3px;
    border-radius: 2px;
    background: var(--ink-2);
  }
  input[type='range']::-moz-range-thumb {
    inline-size: 9px;
    block-size: 9px;
    border-radius: 50%;
    background: var(--surface);
    border: 2px solid var(--ink);
  }
  .scroll {
    overflow: auto;
    scrollbar-width: thin;
    scrollbar-color: var(--line-2) transparent;
  }
`;
