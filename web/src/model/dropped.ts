/**
 * A file that a person drops: what its first lines say about its columns, and the workspace that is made of it.
 * Nothing here is a result; rows are read by the engine.
 */
import type { FilePlan, FileResult, ScenarioEvent, Workspace } from '../engine/api.ts';
import { EMPTY_WORKSPACE } from './scenario.ts';

/** Rows that can be stepped through; all rows run in bulk. */
export const STEPPABLE = 1000;

/** Milliseconds between two rows that can be stepped through. */
const APART_MS = 100;

/** The file of a page and how far its run is. */
export interface FileState {
  readonly name: string;
  readonly size: number;
  readonly bytes: number;
  readonly rows: number;
  readonly unread: number;
  readonly steppable: number;
  readonly kind: 'running' | 'done' | 'stopped' | 'failed';
  readonly queries: readonly FileResult[];
  /** Why it failed. */
  readonly reason: string;
}

type ColumnType = 'BOOLEAN' | 'BIGINT' | 'DOUBLE' | 'TIMESTAMP(3)' | 'STRING';

interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly distinct: number;
}

/** What the first lines of a file are. */
export interface Sample {
  readonly plan: FilePlan;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
}

const STAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;
const WHOLE = /^-?\d{1,18}$/;
const NUMBER = /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;

/** Reads the beginning of a file; `undefined` where it is neither JSON lines nor separated values. */
export function sampleOf(fileName: string, text: string): Sample | undefined {
  const body = text.replace(/^\ufeff/, '');
  const lines = body.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined || first.includes('\0')) return undefined;
  const table = tableName(fileName);
  return first.trimStart().startsWith('{') ? ofJson(lines, table) : ofValues(body, first, table);
}

function ofJson(lines: readonly string[], table: string): Sample | undefined {
  const objects: Record<string, unknown>[] = [];
  for (const line of lines) {
    try {
      const read: unknown = JSON.parse(line);
      if (read !== null && typeof read === 'object' && !Array.isArray(read)) {
        objects.push({ ...read });
      }
    } catch {
      // A line that is no JSON is no row; the engine counts it.
    }
  }
  if (objects.length === 0) return undefined;
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const rows = objects.map((object) => names.map((name) => cellOf(object[name])));
  return { plan: { table, delimiter: '', names: false }, columns: columnsOf(names, rows), rows };
}

function cellOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function ofValues(text: string, first: string, table: string): Sample | undefined {
  const counted = [',', '\t', ';', '|'].map((each) => first.split(each).length);
  const delimiter = [',', '\t', ';', '|'][counted.indexOf(Math.max(...counted))] ?? ',';
  const cells = valuesOf(text, delimiter);
  const head = cells[0] ?? [];
  const names =
    new Set(head).size === head.length &&
    head.every((cell) => cell !== '' && !NUMBER.test(cell) && !STAMP.test(cell));
  const titles = head.map((cell, at) => (names ? cell.trim() : `c${at + 1}`));
  const rows = (names ? cells.slice(1) : cells).map((row) =>
    titles.map((_, at) => (row[at] === undefined || row[at] === '' ? null : row[at])),
  );
  if (rows.length === 0) return undefined;
  return { plan: { table, delimiter, names }, columns: columnsOf(titles, rows), rows };
}

/**
 * Values row by row; a quoted one may hold delimiters, line feeds, and quotes twice. A quote inside a value is a letter,
 * and a row whose quote stays open is none.
 */
function valuesOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let values: string[] = [];
  let value = '';
  let quoted = false;
  const end = () => {
    values.push(value.replace(/\r+$/, ''));
    if (values.length > 1 || values[0]?.trim() !== '') rows.push(values);
    values = [];
    value = '';
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === '"' && (quoted || value === '')) {
      if (quoted && text[at + 1] === '"') {
        value += '"';
        at++;
      } else quoted = !quoted;
    } else if (quoted || (letter !== delimiter && letter !== '\n')) value += letter;
    else if (letter === '\n') end();
    else {
      values.push(value);
      value = '';
    }
  }
  if (!quoted) end();
  return rows;
}

function columnsOf(
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): readonly Column[] {
  return names.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? null).filter((cell) => cell !== null);
    return { name, type: typeOf(cells), distinct: new Set(cells).size };
  });
}

function typeOf(cells: readonly string[]): ColumnType {
  const all = (test: (cell: string) => boolean) => cells.length > 0 && cells.every(test);
  if (all((cell) => /^(true|false)$/i.test(cell))) return 'BOOLEAN';
  if (all((cell) => WHOLE.test(cell))) return 'BIGINT';
  if (all((cell) => NUMBER.test(cell))) return 'DOUBLE';
  return all((cell) => STAMP.test(cell)) ? 'TIMESTAMP(3)' : 'STRING';
}

function tableName(fileName: string): string {
  const stem = fileName.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}_]+/gu, '_');
  return stem === '' || /^\d/.test(stem) ? `file_${stem}` : stem;
}

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;

/** A workspace over the first rows of a file, with a query to begin with. */
export function workspaceOf({ plan, columns, rows }: Sample): Workspace {
  const lines = columns.map(({ name, type }) => `  ${quoted(name)} ${type}`);
  const time = columns.find(({ type }) => type === 'TIMESTAMP(3)');
  if (time !== undefined) {
    const column = quoted(time.name);
    lines.push(`  WATERMARK FOR ${column} AS ${column} - INTERVAL '5' SECOND`);
  }
  const table = quoted(plan.table);
  const events = rows.slice(0, STEPPABLE).map((row, at): ScenarioEvent => {
    const cells = columns.flatMap(({ name, type }, column) => {
      const cell = row[column] ?? null;
      return cell === null ? [] : [[name, jsonOf(cell, type)] as const];
    });
    return { at: at * APART_MS, table: plan.table, row: Object.fromEntries(cells) };
  });
  return {
    ...EMPTY_WORKSPACE,
    script: `CREATE TABLE ${table} (\n${lines.join(',\n')}\n) WITH ('connector' = 'replay');\n`,
    queries: [{ sql: queryOf(table, columns) }],
    sources: [{ table: plan.table, partitions: 1 }],
    events,
    end: 'flush',
  };
}

function jsonOf(cell: string, type: ColumnType): string | number | boolean {
  if (type === 'BOOLEAN') return cell.toLowerCase() === 'true';
  // Numbers stay texts where a double has not all their digits.
  if (type === 'DOUBLE' || (type === 'BIGINT' && cell.length < 16)) return Number(cell);
  return cell;
}

/** Counts and adds up by the column with the fewest values. */
function queryOf(table: string, columns: readonly Column[]): string {
  const keys = columns.filter(({ type }) => type === 'STRING' || type === 'BOOLEAN');
  const [key] = [...keys].sort((a, b) => a.distinct - b.distinct);
  const number = columns.findLast(({ type }) => type === 'DOUBLE' || type === 'BIGINT');
  const items = [
    ...(key === undefined ? [] : [quoted(key.name)]),
    'COUNT(*) AS n',
    ...(number === undefined ? [] : [`SUM(${quoted(number.name)}) AS total`]),
  ];
  const by = key === undefined ? '' : `\nGROUP BY ${quoted(key.name)}`;
  return `SELECT ${items.join(', ')}\nFROM ${table}${by}`;
}
