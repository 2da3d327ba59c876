import { describe, expect, it } from 'vitest';
import type { FileWriter } from '../../../../source/store/transfers/local-files.ts';
import {
  exportFormat,
  exportLog,
  type LogExportOptions,
  rangeText,
} from '../../../../source/store/log/reader/export.ts';
import { DroppingLog, lineWith, unfiltered } from '../dropping-log.ts';

/** Creates a file in memory whose writes fail above a size in bytes. */
class MemoryFile implements FileWriter {
  text = '';
  state: 'open' | 'finished' | 'dropped' = 'open';
  onWrite: () => void = () => {};
  readonly #room: number;

  constructor(room = Number.POSITIVE_INFINITY) {
    this.#room = room;
  }

  async write(text: string) {
    if (this.text.length + text.length > this.#room) {
      return { ok: false, reason: 'the disk is full' } as const;
    }
    this.text += text;
    this.onWrite();
    return { ok: true, bytes: text.length } as const;
  }

  async finish() {
    this.state = 'finished';
    return { ok: true } as const;
  }

  async discard() {
    this.state = 'dropped';
  }
}

/** A clock that advances with each reading and runs every timer at once. */
function busyClock() {
  let now = 0;
  return {
    now: () => (now += 3),
    after(_: number, action: () => void) {
      setImmediate(action);
      return () => {};
    },
  };
}

function exporting(log: DroppingLog, file: MemoryFile, more: Partial<LogExportOptions> = {}) {
  return exportLog({
    shown: unfiltered(log),
    range: { first: 100, last: log.at(log.length - 1)?.seq ?? 0 },
    format: 'text',
    deploymentId: 'd-1',
    clock: busyClock(),
    file,
    onProgress() {},
    signal: new AbortController().signal,
    ...more,
  });
}

const lines = (from: number, to: number) =>
  Array.from({ length: (to - from) / 2 + 1 }, (_, index) => `- -  line ${from + 2 * index}\n`);

describe('an export', () => {
  it('writes every line as the command prints it, and a line for each gap', async () => {
    const log = new DroppingLog();
    log.append(40);
    log.gap(20);
    const file = new MemoryFile();
    const done: number[] = [];
    const outcome = await exporting(log, file, {
      onProgress: ({ linesDone, lines: all }) => {
        done.push(linesDone);
        expect(all).toBe(40);
      },
    });
    const gap = '-- gap: line 139 could not be fetched --\n';
    expect(file.text).toBe([...lines(100, 138), gap, ...lines(140, 178)].join(''));
    expect(file.state).toBe('finished');
    expect(done[0]).toBeGreaterThan(0);
    expect(outcome).toMatchObject({
      kind: 'saved',
      exported: { lines: 40, gaps: 1, lostAtEnd: false },
    });
  });

  it('preserves the text of each line', async () => {
    const log = new DroppingLog();
    log.entries = [
      lineWith(100, 'back\rand\x1b[31m red \0 é 🙂'),
      lineWith(101, ''),
      lineWith(102, 'two\nlines'),
    ];
    const file = new MemoryFile();
    await exporting(log, file);
    expect(file.text).toBe('- -  back\rand\x1b[31m red \0 é 🙂\n- -  \n- -  two\\nlines\n');
    const own = await rangeText(unfiltered(log), { first: 100, last: 102 }, 'text', {
      clock: busyClock(),
      most: 1000,
    });
    expect(own).toEqual({
      kind: 'text',
      text: 'back\rand\x1b[31m red \0 é 🙂\n\ntwo\nlines',
    });
  });

  it('writes JSON with the complete text, and only counts gaps', async () => {
    const log = new DroppingLog();
    log.append(2);
    log.gap(1);
    const file = new MemoryFile();
    const outcome = await exporting(log, file, { format: exportFormat('A.JSONL') });
    expect(
      file.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      expect.objectContaining({ id: 100, logLine: 'line 100', deploymentId: 'd-1' }),
      expect.objectContaining({ id: 102, logLine: 'line 102' }),
    ]);
    expect(outcome).toMatchObject({ exported: { lines: 2, gaps: 1 } });
    expect(['a.log', 'json', 'a.json.txt'].map(exportFormat)).toEqual(['text', 'text', 'text']);
  });

  it('continues after lines that memory has dropped, with a gap line', async () => {
    const log = new DroppingLog();
    log.append(60);
    const file = new MemoryFile();
    let dropped = 0;
    file.onWrite = () => {
      if (dropped > 0) return;
      dropped = file.text.split('\n').length - 1 + 4;
      log.drop(dropped);
    };
    const outcome = await exporting(log, file);
    const last = 100 + 2 * (dropped - 5);
    const gap = `-- gap: lines ${last + 1} to ${last + 9} had left memory --\n`;
    expect(file.text).toBe([...lines(100, last), gap, ...lines(last + 10, 218)].join(''));
    expect(outcome).toMatchObject({ exported: { lines: 56, gaps: 1 } });
  });

  it('ends with a gap line when the last lines were dropped from memory', async () => {
    const log = new DroppingLog();
    log.append(10);
    const range = { first: 100, last: 104 };
    log.drop(5);
    const file = new MemoryFile();
    const outcome = await exporting(log, file, { range });
    expect(file.text).toBe('-- gap: the lines from here on had left memory --\n');
    expect(outcome).toMatchObject({ exported: { lines: 0, bytes: 50, lostAtEnd: true } });
    const copied = await rangeText(unfiltered(log), range, 'text', {
      clock: busyClock(),
      most: 1000,
    });
    expect(copied).toEqual({ kind: 'gone' });
  });

  it('drops the file when it is cancelled, the disk is full or the log is reordered', async () => {
    const log = new DroppingLog();
    log.append(60);
    const cancelled = new MemoryFile();
    const ending = new AbortController();
    cancelled.onWrite = () => ending.abort();
    expect(await exporting(log, cancelled, { signal: ending.signal })).toEqual({
      kind: 'cancelled',
    });
    expect(cancelled.state).toBe('dropped');
    const full = new MemoryFile(100);
    expect(await exporting(log, full)).toEqual({ kind: 'unwritable', reason: 'the disk is full' });
    expect(full.state).toBe('dropped');
    const moved = new MemoryFile();
    moved.onWrite = () => (log.epoch += 1);
    expect(await exporting(log, moved)).toEqual({ kind: 'moved' });
    expect(moved.state).toBe('dropped');
  });
});

describe('the text of a range', () => {
  it('is too long above the limit, unless it is a single line', async () => {
    const log = new DroppingLog();
    log.append(50);
    const bounds = { clock: busyClock(), most: 40 };
    expect(await rangeText(unfiltered(log), { first: 100, last: 198 }, 'text', bounds)).toEqual({
      kind: 'too-long',
    });
    log.entries = [lineWith(100, 'x'.repeat(100))];
    expect(
      await rangeText(unfiltered(log), { first: 100, last: 100 }, 'text', bounds),
    ).toMatchObject({
      kind: 'text',
    });
  });
});
