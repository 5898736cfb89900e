/** The languages there are, and texts with marked parts. */
import { en, type Messages } from './en.ts';

export type Language = 'en' | 'zh';

const LANGUAGES = new Map<Language, Messages>([['en', en]]);

/** Texts of a language; English until it is known. */
export function messages(language: Language): Messages {
  return LANGUAGES.get(language) ?? en;
}

/** Makes a language known. */
export function know(language: Language, texts: Messages): void {
  LANGUAGES.set(language, texts);
}

/** Makes a language known before it is used. English always is. */
export async function learn(language: Language): Promise<void> {
  if (!LANGUAGES.has(language)) know('zh', (await import('./zh.ts')).zh);
}

/** Language that fits a tag such as `zh-Hans-CN`; English where none does. */
export function languageFrom(tag: string | null | undefined): Language {
  return tag?.toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
}

/** A part of a sentence and how it stands out. */
export interface Piece {
  readonly text: string;
  readonly tone: 'plain' | 'strong' | 'code' | 'alarm' | 'good';
}

const MARKS = /(\*\*.+?\*\*|`.+?`|!!.+?!!|~~.+?~~)/;
const TONES: Readonly<Record<string, Piece['tone']>> = {
  '*': 'strong',
  '`': 'code',
  '!': 'alarm',
  '~': 'good',
};

/** Takes a sentence apart: `**strong**`, `` `code` ``, `!!alarm!!`, `~~good~~`. */
export function pieces(sentence: string): Piece[] {
  return sentence
    .split(MARKS)
    .filter((part) => part !== '')
    .map((part) => {
      const tone = MARKS.test(part) ? TONES[part.charAt(0)] : undefined;
      if (tone === undefined) return { text: part, tone: 'plain' };
      const mark = tone === 'code' ? 1 : 2;
      return { text: part.slice(mark, -mark), tone };
    });
}

/** The sentence without its marks. */
export function plain(sentence: string): string {
  return pieces(sentence)
    .map((piece) => piece.text)
    .join('');
}
