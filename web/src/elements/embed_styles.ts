/** Styles of `<stream-glass>`: wide and narrow by its own width, at a height that stays. */
import { css } from 'lit';

export const embedStyles = css`
  :host {
    display: block;
    /* auto: what the page has set; the attribute theme says otherwise */
    color-scheme: inherit;
    container-type: inline-size;
    color: var(--ink);
    text-align: start;
  }
  :host([hidden]) {
    display: none;
  }
  .box {
    border: 1px solid var(--line-2);
    border-radius: var(--r-l);
    background: var(--surface);
    overflow: hidden;
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 256px);
  }
  .head {
    grid-column: 1/-1;
    display: flex;
    align-items: center;
    gap: 10px;
    block-size: 42px;
    padding: 0 8px 0 12px;
    border-block-end: 1px solid var(--line);
    min-inline-size: 0;
  }
  .failure {
    grid-column: 1/-1;
    margin: 0;
    padding: 10px 12px;
    color: var(--alarm-ink);
    border-block-end: 1px solid var(--line);
  }
  .head b {
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .head .seg button {
    padding: 0 10px;
    font: 500 12px var(--ui);
    color: var(--ink-3);
  }
  .head .seg button[aria-checked='true'] {
    color: var(--surface);
  }
  .open {
    display: flex;
    align-items: center;
    gap: 4px;
    block-size: 28px;
    padding: 0 8px;
    border-radius: var(--r-m);
    color: var(--ink-2);
    font-size: 12px;
    font-weight: 500;
    text-decoration: none;
    white-space: nowrap;
  }
  .open:hover {
    background: var(--surface-3);
  }
  .sql {
    grid-column: 1;
    block-size: 124px;
    border-block-end: 1px solid var(--line);
    padding: 6px 0 0 4px;
    --code-line: 16.4px;
  }
  .sql.whole {
    grid-column: 1/-1;
  }
  .result {
    grid-column: 2;
    border-inline-start: 1px solid var(--line);
    border-block-end: 1px solid var(--line);
    min-block-size: 0;
    block-size: 124px;
    display: grid;
    grid-template-rows: 27px minmax(0, 1fr);
  }
  .rh {
    display: flex;
    align-items: center;
    gap: 6px;
    padding: 0 10px;
    font-size: 11.5px;
    color: var(--ink-3);
    border-block-end: 1px solid var(--line);
  }
  .tl {
    grid-column: 1/-1;
    block-size: 322px;
    min-inline-size: 0;
    overflow: hidden;
    display: grid;
  }
  .say {
    grid-column: 1/-1;
    padding: 8px 14px;
    border-block-start: 1px solid var(--line);
    background: var(--surface-2);
    block-size: 40px;
    overflow: auto;
    scrollbar-width: none;
  }
  .transport {
    grid-column: 1/-1;
    display: flex;
    align-items: center;
    gap: 4px;
    block-size: 50px;
    padding: 0 12px 0 8px;
    border-block-start: 1px solid var(--line);
  }
  .transport button {
    inline-size: 32px;
    block-size: 32px;
    display: grid;
    place-items: center;
    border-radius: var(--r-m);
    color: var(--ink-2);
  }
  .transport button:hover {
    background: var(--surface-3);
  }
  .transport .play {
    inline-size: 36px;
    block-size: 36px;
    border-radius: 50%;
    background: var(--ink);
    color: var(--surface);
    margin: 0 3px;
  }
  .transport .play:hover {
    background: var(--ink);
  }
  .rule {
    inline-size: 1px;
    block-size: 20px;
    background: var(--line);
    margin: 0 10px;
  }
  .count {
    font-size: 12px;
    color: var(--ink-3);
    white-space: nowrap;
  }
  .count.lock {
    color: var(--ua-ink);
    font-weight: 500;
  }
  .delay {
    display: flex;
    align-items: center;
    gap: 8px;
    font-size: 12px;
    color: var(--ink-2);
    white-space: nowrap;
  }
  .delay input {
    inline-size: 92px;
  }
  .views {
    display: none;
  }
  @container (max-width: 560px) {
    .box {
      grid-template-columns: minmax(0, 1fr);
    }
    .sql,
    .result {
      grid-column: 1;
      border-inline-start: 0;
    }
    .open span,
    .rule,
    .count:not(.lock),
    .delay span {
      display: none;
    }
    .open {
      padding: 0 6px;
    }
    .views {
      grid-column: 1/-1;
      display: flex;
      border-block-end: 1px solid var(--line);
    }
    .views button {
      flex: 1;
      block-size: 36px;
      font-size: 12.5px;
      font-weight: 500;
      color: var(--ink-3);
      position: relative;
    }
    .views button[aria-selected='true'] {
      color: var(--ink);
      font-weight: 600;
    }
    .views button[aria-selected='true']::after {
      content: '';
      position: absolute;
      inset-inline: 16px;
      inset-block-end: -1px;
      block-size: 2px;
      background: var(--ink);
    }
    .sql,
    .result,
    .tl {
      block-size: 322px;
      display: none;
      border-block-end: 0;
    }
    [data-view='sql'] .sql {
      display: block;
    }
    [data-view='result'] .result {
      display: grid;
    }
    [data-view='timeline'] .tl {
      display: grid;
    }
    .say {
      block-size: 64px;
    }
    .transport {
      block-size: 56px;
    }
    .transport button,
    .transport .play {
      inline-size: 44px;
      block-size: 44px;
    }
    .delay {
      gap: 6px;
    }
    .delay input {
      inline-size: 74px;
    }
  }
`;
