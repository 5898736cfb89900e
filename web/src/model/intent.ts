/** What a person can mean, as plain data: elements say it, commands do it. */
import type { WhyMove, Workspace } from '../engine/api.ts';
import type { PhoneView, Tab, Theme } from './model.ts';

export type Intent =
  | { readonly kind: 'play' | 'pause' | 'toggle' | 'step' | 'back' | 'start' | 'end' | 'reset' }
  | { readonly kind: 'seek'; readonly p: number; readonly glide?: boolean }
  | { readonly kind: 'marker'; readonly direction: 1 | -1 }
  | { readonly kind: 'speed'; readonly speed: number }
  | { readonly kind: 'faster' | 'slower' }
  | { readonly kind: 'tab'; readonly tab: Tab }
  | { readonly kind: 'phone-view'; readonly view: PhoneView }
  | { readonly kind: 'drawer'; readonly open: boolean }
  | { readonly kind: 'lane'; readonly lane: number }
  | { readonly kind: 'encodings'; readonly lane: number; readonly on: boolean }
  | { readonly kind: 'show-lane'; readonly lane: number }
  | { readonly kind: 'zoom'; readonly visible: number | undefined }
  | { readonly kind: 'language'; readonly language: 'en' | 'zh' }
  | { readonly kind: 'theme'; readonly theme: Theme }
  | { readonly kind: 'scenario'; readonly id: string }
  | { readonly kind: 'share' | 'dismiss' | 'choose-file' }
  | { readonly kind: 'open-file'; readonly file: File }
  | { readonly kind: 'file'; readonly act: 'stop' | 'run' | 'close' }
  | { readonly kind: 'restart'; readonly again?: boolean }
  | { readonly kind: 'sql'; readonly query: number; readonly sql: string; readonly now?: boolean }
  | { readonly kind: 'script'; readonly script: string }
  | { readonly kind: 'name'; readonly query: number; readonly name: string }
  | { readonly kind: 'hot-partition'; readonly partition: number | undefined }
  | { readonly kind: 'hot-operator'; readonly at: { query: number; operator: number } | undefined }
  | { readonly kind: 'touch'; readonly step: number | undefined }
  | { readonly kind: 'move-event'; readonly step: number; readonly to: number }
  | {
      readonly kind: 'preview-move';
      readonly step: number;
      readonly to: number;
      readonly ms?: number;
    }
  | { readonly kind: 'end-preview' }
  | { readonly kind: 'shift-event-time'; readonly step: number; readonly ms: number }
  | {
      readonly kind: 'bound';
      readonly table: string;
      readonly partition: number;
      readonly ms: number;
    }
  | { readonly kind: 'declared-bound'; readonly source: number; readonly ms: number }
  | {
      readonly kind: 'hold';
      readonly table: string;
      readonly partition: number;
      readonly on: boolean;
    }
  | {
      readonly kind: 'idle';
      readonly table: string;
      readonly partition: number;
      readonly on: boolean;
    }
  | { readonly kind: 'end-of-input'; readonly end: Workspace['end'] }
  | { readonly kind: 'open-inject'; readonly open: boolean }
  | { readonly kind: 'inject' | 'foresee'; readonly event: InjectedEvent }
  | { readonly kind: 'help'; readonly open: boolean }
  | { readonly kind: 'as-table'; readonly on: boolean }
  | { readonly kind: 'speaking'; readonly on: boolean }
  | { readonly kind: 'move'; readonly act: WhyMove['act'] };

/** An event that is to be inserted behind the playhead. */
export interface InjectedEvent {
  readonly table: string;
  readonly partition: number;
  readonly kind: '+I' | '-U' | '+U' | '-D';
  readonly row: Readonly<Record<string, string | number | boolean | null>>;
}
