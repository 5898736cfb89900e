/** What an element and an editor say to each other: neither knows how the other is made. */
import type { Diagnostic, Lens, TimeLiteral, Token } from '../engine/api.ts';

/** Everything an editor shows. */
export interface EditorState {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly diagnostics: readonly Diagnostic[];
  readonly lenses: readonly Lens[];
  readonly literals: readonly TimeLiteral[];
  /** Text of the operator that is looked at elsewhere. */
  readonly hot: { readonly from: number; readonly to: number } | undefined;
  readonly language: 'en' | 'zh';
}

/** An editor in its host. */
export interface SqlEditor {
  update(state: EditorState): void;
  focus(): void;
  destroy(): void;
}

/** What an editor needs to start. */
export interface EditorSetup {
  readonly host: HTMLElement;
  readonly root: Document | ShadowRoot;
  /** Number of the query. */
  readonly lane: number;
  readonly text: string;
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly onRun: (text: string) => void;
  readonly onLiteral: (text: string) => void;
}

export type SqlEditorFactory = (setup: EditorSetup) => SqlEditor;
