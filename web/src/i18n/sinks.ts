/** Words of what happens behind a query: sinks and encodings. The playground has them, embeds do not. */
import type { SinkReport } from '../model/explain.ts';
import type { Language } from './language.ts';

type Writes = SinkReport['writes'];

const en = {
  tab: 'Sinks',
  lead: 'What becomes of the changes once they leave the query.',
  bare: 'This query has no `INSERT INTO`. These are the sinks that it could have, over the same changes:',
  none: 'The sinks appear when the query runs.',
  refused: 'refused',
  needsKey:
    'This sink writes by key, and nothing in this result is known to tell its rows apart. The `PRIMARY KEY` of the sink is then yours to choose: rows that meet in it replace each other, and a result that changes has to say `ON CONFLICT DO …`.',
  keyTag: 'needs a key',
  how: {
    log: 'Each row is a message at the end of the log. Nothing in a log is ever changed.',
    'cdc-log':
      'Each change is a message that says whether its row comes or goes: an update is two messages.',
    'upsert-log':
      'Each message carries a key. A later one with the same key replaces it, a key without a value (a tombstone) takes it away. `−U` is not sent.',
    statements: 'Rows gather and go out as `INSERT` statements.',
    'upsert-statements':
      'Changes gather, the last one of each key goes out: an upsert, or a `DELETE`. What happens between two flushes is never seen.',
    files: 'Rows gather in a file; readers see it when it is closed.',
    lake: 'Each commit adds a data file. A row that goes is marked in a delete file: by its position if the same commit wrote it, else by its values. Files are never changed.',
    'upsert-lake':
      'Before each row its key is deleted: by position if the same commit wrote it, else in an equality delete file that every reader has to apply. Files are never changed.',
    lines: 'Each change is a line in the output of the task manager.',
    nothing: 'Rows are counted and thrown away.',
    changes: 'The playground keeps the changes as they come.',
  } satisfies Record<Writes, string>,
  lakeAppends:
    'Without a `PRIMARY KEY` the writer appends whatever comes, rows that are taken back as well: readers get too many.',
  unit: {
    log: 'messages',
    'cdc-log': 'messages',
    'upsert-log': 'messages',
    statements: 'statements',
    'upsert-statements': 'statements',
    files: 'rows in files',
    lake: 'rows in files',
    'upsert-lake': 'rows in files',
    lines: 'lines',
    nothing: 'rows',
    changes: 'changes',
  } satisfies Record<Writes, string>,
  received: 'received',
  appended: 'added',
  updated: 'replaced',
  deleted: 'taken away',
  written: 'written',
  live: 'what is left',
  compacted: 'after compaction',
  files: 'files',
  amplification: 'write amplification',
  times: (factor: string) => `× ${factor}`,
  rows: (n: number, text: string) => `${text} ${n === 1 ? 'row' : 'rows'}`,
  reader: (read: string, files: string, rows: string) =>
    `A reader goes through **${read}** rows of **${files}** files to return **${rows}**.`,
  visible: (now: string, open: string) =>
    `Readers see **${now}** rows now, **${open}** after the next commit.`,
  superseded: 'Faded: an older message of its key, removed by compaction.',
  batch: {
    commit: 'Commit',
    flush: 'Flush',
    file: 'File closed',
    data: 'data',
    position: 'by position',
    equality: 'by key',
    deletes: 'deleted',
    changes: 'changes',
    next: 'next',
    earlier: (n: string) => `${n} earlier`,
    none: 'Nothing is committed yet.',
  },
  checkpoint: (every: string) =>
    `Commits come with checkpoints, every ${every} of processing time.`,
  checkpointAssumed: (every: string) =>
    `Commits come with checkpoints. None are set, so one every ${every} is assumed: \`SET 'execution.checkpointing.interval'\`. Without checkpoints Flink commits nothing.`,
  flush: (every: string, rows: string) =>
    `A flush comes every ${every} or ${rows} rows, whichever is first.`,
  rolling: (every: string) =>
    `A file is closed after ${every}; files of lines stay open over checkpoints.`,
  model: 'One writer. JSON and CSV to the byte, other formats as plain values before compression.',
  encodings: 'Encodings',
  encodingsTitle: 'The result as an append, a retract and an upsert stream',
  stream: { append: 'append', retract: 'retract', upsert: 'upsert' },
  streamHow: {
    append: 'rows that come',
    retract: 'rows that come and go',
    upsert: (key: string) => `the row of each ${key}`,
  },
  messages: (n: number, text: string) => `${text} ${n === 1 ? 'message' : 'messages'}`,
  add: 'add',
  take: 'take back',
  put: 'put',
  tombstone: 'tombstone',
  notSent: 'not sent',
  appendRefused: 'Refused: a stream that is only appended to cannot take a row back.',
  noKey:
    'No upsert key: nothing tells which row a message replaces. A sink with a `PRIMARY KEY` gets a `SinkUpsertMaterializer`, which keeps the history of each key.',
  emptyEncodings: 'No change yet.',
  close: 'Close',
};

/** Words of a language. */
export type SinkWords = typeof en;

const zh: SinkWords = {
  tab: '结果表',
  lead: '变更离开查询之后的去向。',
  bare: '该查询没有 `INSERT INTO`。以下是它可以写入的结果表，基于同样的变更：',
  none: '查询运行后，这里显示结果表。',
  refused: '拒收',
  needsKey:
    '此结果表按键写入，而该结果中没有已知能区分各行的列。结果表的 `PRIMARY KEY` 由你选择：落在同一键上的行互相取代，会变化的结果还须写明 `ON CONFLICT DO …`。',
  keyTag: '需要键',
  how: {
    log: '每行是日志末尾的一条消息。日志中的内容从不改变。',
    'cdc-log': '每个变更是一条消息，说明该行是到来还是离开：一次更新是两条消息。',
    'upsert-log':
      '每条消息带有键。同键的后一条取代前一条；只有键没有值的消息（墓碑）将其移除。`−U` 不发送。',
    statements: '行先攒批，再以 `INSERT` 语句写出。',
    'upsert-statements':
      '变更先攒批，每个键只写出最后一个：更新插入或 `DELETE`。两次刷写之间的过程看不到。',
    files: '行先写入文件；文件关闭后读取方才能看到。',
    lake: '每次提交新增一个数据文件。离开的行记入删除文件：同一提交写入的按位置，否则按值。文件从不修改。',
    'upsert-lake':
      '写入每行之前先删除其键：同一提交写入的按位置，否则写入等值删除文件，每次读取都要应用。文件从不修改。',
    lines: '每个变更是任务管理器输出中的一行。',
    nothing: '行被计数后丢弃。',
    changes: '演练场原样保留到来的变更。',
  },
  lakeAppends:
    '没有 `PRIMARY KEY` 时，写入方追加到来的一切，包括被撤回的行：读取方会得到多余的行。',
  unit: {
    log: '消息',
    'cdc-log': '消息',
    'upsert-log': '消息',
    statements: '语句',
    'upsert-statements': '语句',
    files: '文件行数',
    lake: '文件行数',
    'upsert-lake': '文件行数',
    lines: '输出行',
    nothing: '行',
    changes: '变更',
  },
  received: '收到',
  appended: '新增',
  updated: '替换',
  deleted: '移除',
  written: '写出',
  live: '留下',
  compacted: '压缩后',
  files: '文件',
  amplification: '写放大',
  times: (factor) => `× ${factor}`,
  rows: (_, text) => `${text} 行`,
  reader: (read, files, rows) =>
    `读取方要读 **${files}** 个文件的 **${read}** 行，才能返回 **${rows}** 行。`,
  visible: (now, open) => `读取方现在看到 **${now}** 行，下次提交后为 **${open}** 行。`,
  superseded: '淡色：该键的旧消息，压缩时移除。',
  batch: {
    commit: '提交',
    flush: '刷写',
    file: '文件关闭',
    data: '数据',
    position: '位置删除',
    equality: '等值删除',
    deletes: '删除',
    changes: '变更',
    next: '下一次',
    earlier: (n) => `更早 ${n} 次`,
    none: '尚未提交。',
  },
  checkpoint: (every) => `随检查点提交，每 ${every} 处理时间一次。`,
  checkpointAssumed: (every) =>
    `随检查点提交。未设置检查点，此处假定每 ${every} 一次：\`SET 'execution.checkpointing.interval'\`。没有检查点，Flink 不提交任何内容。`,
  flush: (every, rows) => `每 ${every} 或每 ${rows} 行刷写一次，先到为准。`,
  rolling: (every) => `文件在 ${every} 后关闭；按行写入的文件跨检查点保持打开。`,
  model: '一个写入方。JSON 与 CSV 精确到字节，其他格式按压缩前的原始值计。',
  encodings: '编码',
  encodingsTitle: '结果分别作为追加流、撤回流和更新插入流',
  stream: { append: '追加', retract: '撤回', upsert: '更新插入' },
  streamHow: {
    append: '到来的行',
    retract: '到来与离开的行',
    upsert: (key) => `每个 ${key} 的行`,
  },
  messages: (_, text) => `${text} 条消息`,
  add: '添加',
  take: '撤回',
  put: '写入',
  tombstone: '墓碑',
  notSent: '不发送',
  appendRefused: '拒收：只能追加的流无法撤回行。',
  noKey:
    '没有更新键：无法得知一条消息取代哪一行。带 `PRIMARY KEY` 的结果表前会有 `SinkUpsertMaterializer`，它保存每个键的历史。',
  emptyEncodings: '尚无变更。',
  close: '关闭',
};

/** Words of a language. */
export function sinkWords(language: Language): SinkWords {
  return language === 'zh' ? zh : en;
}
