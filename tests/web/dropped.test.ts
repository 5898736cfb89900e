import { describe, expect, test } from 'vitest';
import { sampleOf, workspaceOf } from '../../web/src/model/dropped.ts';

describe('the first lines of a dropped file', () => {
  test('name the columns of separated values and their types', () => {
    const text =
      'shop;sold at;amount;n;ok\n"tea; and more";2024-01-01 00:00:01;1.5;1;true\nsoup;2024-01-01 00:00:02;;2;FALSE\n';
    const sample = sampleOf('my sales.csv', text);
    expect(sample?.plan).toEqual({ table: 'my_sales', delimiter: ';', names: true });
    expect(sample?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'shop STRING',
      'sold at TIMESTAMP(3)',
      'amount DOUBLE',
      'n BIGINT',
      'ok BOOLEAN',
    ]);
    if (sample === undefined) return;
    const { script, events, queries } = workspaceOf(sample);
    expect(script).toContain("WATERMARK FOR `sold at` AS `sold at` - INTERVAL '5' SECOND");
    expect(events[1]?.row).toEqual({
      shop: 'soup',
      'sold at': '2024-01-01 00:00:02',
      n: 2,
      ok: false,
    });
    expect(queries[0]?.sql).toContain('GROUP BY');
  });

  test('may have no names', () => {
    const sample = sampleOf('1.csv', '1,a\n2,b\n');
    expect(sample?.plan).toEqual({ table: 'file_1', delimiter: ',', names: false });
    expect(sample?.columns.map(({ name }) => name)).toEqual(['c1', 'c2']);
    expect(sample?.rows).toHaveLength(2);
  });

  test('may be lines of one quoted value, and quotes inside a value are letters', () => {
    const text = 'k,v\r\n"a\nb",1\r\n5" disk,2\r\n\r\n"say ""hi""\n",3\r\n"open,4\n';
    const sample = sampleOf('a.csv', text);
    expect(sample?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'k STRING',
      'v BIGINT',
    ]);
    expect(sample?.rows).toEqual([
      ['a\nb', '1'],
      ['5" disk', '2'],
      ['say "hi"\n', '3'],
    ]);
  });

  test('may be objects of JSON, of which some are broken', () => {
    const sample = sampleOf('a.jsonl', '{"a": 1, "b": {"c": 2}}\n{"a"\n{"d": "x"}\n');
    expect(sample?.plan.delimiter).toBe('');
    expect(sample?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'a BIGINT',
      'b STRING',
      'd STRING',
    ]);
    expect(sample?.rows).toEqual([
      ['1', '{"c":2}', null],
      [null, null, 'x'],
    ]);
  });

  test('are refused where they are neither', () => {
    expect(sampleOf('a.bin', 'a\0b\n')).toBeUndefined();
    expect(sampleOf('a.csv', '')).toBeUndefined();
  });
});
