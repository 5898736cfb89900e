/** Keys of the page (ui.md 8). Fields and editors keep theirs. */
import type { SgElement } from './element.ts';

const REGIONS = ['sg-top-bar', 'sg-lane', 'sg-stage', 'sg-side-panel', 'sg-transport'];

/** Carries a key out, unless it belongs to what has the focus. */
export function pageKey(page: SgElement, event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const target = event.composedPath()[0];
  const inside = target instanceof HTMLElement ? target : undefined;
  if (event.key === 'F6') {
    nextRegion(page, event.shiftKey ? -1 : 1);
    event.preventDefault();
    return;
  }
  if (event.key === 'Escape') {
    closeTopmost(page);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || inside?.closest(FIELDS)) return;
  if (event.key === ' ' && inside?.closest('button, a, [role=radio]')) return;
  if (actOn(page, event)) event.preventDefault();
}

const TABS = ['why', 'state', 'plan', 'sinks'] as const;

const FIELDS = 'input, textarea, select, [contenteditable=true], .cm-editor';

function closeTopmost(page: SgElement): void {
  const { model } = page;
  if (model.help.value) page.intent({ kind: 'help', open: false });
  else if (model.injecting.value) page.intent({ kind: 'open-inject', open: false });
  else if (model.drawer.value) page.intent({ kind: 'drawer', open: false });
}

function actOn(page: SgElement, event: KeyboardEvent): boolean {
  const { model } = page;
  switch (event.key) {
    case ' ':
      page.intent({ kind: 'toggle' });
      return true;
    case 'ArrowRight':
    case 'l':
    case 'L':
      if (event.shiftKey) page.intent({ kind: 'marker', direction: 1 });
      else page.intent({ kind: 'step' });
      return true;
    case 'ArrowLeft':
    case 'j':
    case 'J':
      if (event.shiftKey) page.intent({ kind: 'marker', direction: -1 });
      else page.intent({ kind: 'back' });
      return true;
    case 'Home':
      page.intent({ kind: 'start' });
      return true;
    case 'End':
      page.intent({ kind: 'end' });
      return true;
    case '[':
      page.intent({ kind: 'slower' });
      return true;
    case ']':
      page.intent({ kind: 'faster' });
      return true;
    case '1':
    case '2':
    case '3':
    case '4':
      page.intent({ kind: 'tab', tab: TABS[Number(event.key) - 1] ?? 'why' });
      return true;
    case 'a':
    case 'A':
    case 'b':
    case 'B': {
      const lane = event.key.toLowerCase() === 'a' ? 0 : 1;
      if (lane >= model.workspace.value.queries.length) return false;
      page.intent({ kind: 'lane', lane });
      return true;
    }
    case 'i':
    case 'I':
      page.intent({ kind: 'open-inject', open: !model.injecting.value });
      return true;
    case 'o':
    case 'O':
      page.intent({ kind: 'choose-file' });
      return true;
    case 'r':
    case 'R':
      page.intent({ kind: 'reset' });
      return true;
    case 't':
    case 'T': {
      const dark = getComputedStyle(document.documentElement).colorScheme === 'dark';
      const auto =
        model.theme.value === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches;
      page.intent({ kind: 'theme', theme: dark || auto ? 'light' : 'dark' });
      return true;
    }
    case '?':
      page.intent({ kind: 'help', open: !model.help.value });
      return true;
    default:
      return false;
  }
}

/** Moves the focus to the next region of the page that is in view. */
function nextRegion(page: SgElement, direction: 1 | -1): void {
  const regions = [...page.renderRoot.querySelectorAll<HTMLElement>(REGIONS.join())].filter(
    (region) => region.offsetParent !== null || region.getClientRects().length > 0,
  );
  const here = regions.findIndex((region) => region.matches(':focus-within'));
  const at = (here + direction + regions.length) % Math.max(1, regions.length);
  for (let tried = 0; tried < regions.length; tried++) {
    const region = regions[(at + tried * direction + regions.length * 2) % regions.length];
    if (region !== undefined && focusWithin(region)) return;
  }
}

/** Focuses the first focusable thing inside, through shadow roots. */
function focusWithin(root: HTMLElement): boolean {
  const inside: ParentNode = root.shadowRoot ?? root;
  for (const each of inside.querySelectorAll<HTMLElement>('*')) {
    if (each.shadowRoot !== null) {
      if (focusWithin(each)) return true;
    } else if (each.matches(FOCUSABLE) && each.getClientRects().length > 0) {
      each.focus();
      return true;
    }
  }
  return false;
}

const FOCUSABLE =
  'button:not([tabindex="-1"]):not(:disabled), a[href], input, [tabindex="0"], .cm-content';
