import { expect, test } from 'vitest';
import { en } from '../../web/src/i18n/en.ts';
import * as format from '../../web/src/i18n/format.ts';
import { languageFrom, pieces, plain } from '../../web/src/i18n/language.ts';
import { sinkWords } from '../../web/src/i18n/sinks.ts';
import { zh } from '../../web/src/i18n/zh.ts';

const ENGLISH = { ...en, sinks: sinkWords('en') };
const CHINESE = { ...zh, sinks: sinkWords('zh') };

/** Every text of a language by its path, functions called with words that can be found again. */
function texts(of: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(of)) {
    const at = `${path}${key}`;
    if (typeof value === 'string') found.set(at, value);
    else if (typeof value === 'function') {
      const given = Array.from({ length: value.length }, (_, ix) => (ix === 0 ? 3 : `<${ix}>`));
      found.set(at, String(value(...given)));
    } else if (typeof value === 'object' && value !== null) {
      for (const [inner, text] of texts(value, `${at}.`)) found.set(inner, text);
    }
  }
  return found;
}

test('both languages have every text, and none is empty by accident', () => {
  const english = texts(ENGLISH);
  const chinese = texts(CHINESE);
  expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  const empty = [...english].filter(([, text]) => text === '').map(([key]) => key);
  expect(empty).toEqual(['panel.behind']);
});

test('both languages use the same values of a sentence', () => {
  const english = texts(ENGLISH);
  const values = (text: string) => [...text.matchAll(/<\d>/g)].map(String).sort();
  const differing = [...texts(CHINESE)].filter(([key, text]) => {
    const other = values(english.get(key) ?? '');
    return values(text).join() !== other.join();
  });
  expect(differing).toEqual([]);
});

test('Chinese keeps a space between Latin letters, numbers and Chinese ones', () => {
  const tight = [...texts(CHINESE)].filter(([, text]) =>
    /[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]/.test(text),
  );
  expect(tight).toEqual([]);
});

test('numbers, bytes and times are written as the design says', () => {
  expect(format.count(9999)).toBe('9\u2009999');
  expect(format.count(-3)).toBe('\u22123');
  expect(format.bytes(470)).toBe('470 B');
  expect(format.bytes(251_424)).toBe('251 kB');
  expect(format.bytes(7_520_000)).toBe('7.52 MB');
  expect(format.clock(119_999)).toBe('00:01:59.999');
  expect(format.kindText('-U')).toBe('\u2212U');
  expect(en.length(20_000)).toBe('20 s');
  expect(zh.length(90 * 60_000)).toBe('90 分钟');
});

test('windows are half-open and as short as the replay allows', () => {
  const minutes = format.timeStyle(0, 300_000);
  expect(minutes.range(60_000, 120_000)).toBe('[00:01, 00:02)');
  expect(minutes.axis(125_000)).toBe('02:05');
  const days = format.timeStyle(Date.UTC(2013, 2, 7), Date.UTC(2013, 2, 9));
  expect(days.range(Date.UTC(2013, 2, 8, 5), Date.UTC(2013, 2, 8, 6))).toBe('[03-08 05:00, 06:00)');
  expect(days.full(Date.UTC(2013, 2, 8, 5))).toBe('03-08 05:00:00');
});

test('marks set off values and leave the words', () => {
  expect(pieces('needs **00:01** of `ts`')).toEqual([
    { text: 'needs ', tone: 'plain' },
    { text: '00:01', tone: 'strong' },
    { text: ' of ', tone: 'plain' },
    { text: 'ts', tone: 'code' },
  ]);
  expect(plain('it is !!dropped!!.')).toBe('it is dropped.');
});

test('a language is found by its tag', () => {
  expect(languageFrom('zh-Hans-CN')).toBe('zh');
  expect(languageFrom('de')).toBe('en');
});
