import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTerminalScreen } from '../../../source/terminal/screen/screen.ts';
import type { PaintedRegion } from '../../../source/terminal/screen/painter.ts';
import { ObservedTerminal } from '../../e2e/harness-terminal.ts';
import { parseSpans } from './styled-row.ts';
import { hole } from '../../../source/terminal/screen/cell-parser.ts';
import type { Area } from '../../../source/terminal/screen/screen-rows.ts';

const question = '\x1b[5n';

/** A screen on an emulated terminal that answers on demand. */
class Bench {
  readonly terminal: ObservedTerminal;
  readonly written: string[] = [];
  readonly size = Object.assign(new EventEmitter(), { columns: 0, rows: 0 });
  readonly screen;
  now = 0;
  /** Number of questions that the terminal has not answered. */
  questions = 0;
  #timers = new Map<object, { at: number; callback: () => void }>();
  #parsed: Promise<void> = Promise.resolve();

  constructor(columns: number, rows: number) {
    this.terminal = new ObservedTerminal(columns, rows);
    Object.assign(this.size, { columns, rows });
    const write = (data: string): void => {
      this.written.push(data);
      this.questions += data.split(question).length - 1;
      this.#parsed = this.terminal.write(data);
    };
    this.screen = createTerminalScreen({
      output: { write, leave: () => write('\x1b[?1049l\x1b[?25h\x1b[?7h') },
      terminal: this.size,
      traits: {
        hasSynchronizedOutput: true,
        canEraseCharacters: true,
        canMoveToColumn: true,
        alternateScreen: true,
      },
      timers: {
        now: () => this.now,
        setTimeout: (callback, delay) => {
          const timer = {} as NodeJS.Timeout;
          this.#timers.set(timer, { at: this.now + delay, callback });
          return timer;
        },
        clearTimeout: (timer) => {
          if (timer !== undefined) this.#timers.delete(timer);
        },
      },
    });
    this.screen.start();
  }

  /** Paints rows of text with SGR. */
  paint(area: Area, texts: () => readonly string[]): PaintedRegion {
    return this.screen.painter.paint(area, () => texts().map(parseSpans));
  }

  /** Draws a frame as Ink does. */
  frame(rows: readonly string[]): void {
    this.screen.stdout.write(rows.join('\n'));
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    Object.assign(this.size, { columns, rows });
    this.size.emit('resize');
  }

  /** Advances the time, and runs due timers. */
  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    const due = Array.from(this.#timers).filter(([, { at }]) => at <= this.now);
    for (const [timer, { callback }] of due) {
      this.#timers.delete(timer);
      callback();
    }
    await turn();
  }

  /** Answers the oldest question. */
  answer(): void {
    if (this.questions === 0) return;
    this.questions -= 1;
    this.screen.recordAnswer();
  }

  /** Answers until no more is written; returns the rows on the screen. */
  async settled(): Promise<string[]> {
    await turn();
    while (this.questions > 0) {
      await this.#parsed;
      this.answer();
      await this.pass(20);
    }
    await this.#parsed;
    return this.terminal.rows;
  }

  /** Returns the output since the last call, without questions. */
  async takeOutput(): Promise<string> {
    await turn();
    await this.#parsed;
    return this.written.splice(0).join('').replaceAll(question, '');
  }
}

const area: Area = { left: 0, top: 1, width: 10, height: 3 };
const holes = hole.repeat(10);
const frame = ['title', holes, holes, holes, 'foot'];

describe('the screen', () => {
  test('shows the frame, and the region through its holes', async () => {
    const bench = new Bench(10, 5);
    bench.paint(area, () => ['one', 'two', 'three']);
    bench.frame(frame);
    expect(await bench.settled()).toEqual(['title', 'one', 'two', 'three', 'foot']);
    expect(bench.terminal.modes).toMatchObject({ alternateScreen: true, cursorVisible: false });
  });

  test('writes nothing, not even a question, if nothing has changed', async () => {
    const bench = new Bench(10, 5);
    const region = bench.paint(area, () => ['one']);
    bench.frame(frame);
    await bench.settled();
    await bench.takeOutput();
    bench.frame(frame);
    region.reportChange();
    expect(await bench.takeOutput()).toBe('');
    expect(bench.questions).toBe(0);
  });

  test("shows the terminal's cursor on its cell, and hides it without one", async () => {
    const bench = new Bench(10, 5);
    bench.frame(['/', '', '', '', 'foot']);
    await bench.settled();
    expect(await bench.takeOutput()).not.toMatch('\x1b[?25h');
    bench.screen.painter.placeCursor({ x: 1, y: 0 });
    expect(await bench.takeOutput()).toContain('\x1b[?25h');
    bench.frame(['/a', '', '', '', 'fool']);
    bench.screen.painter.placeCursor(undefined);
    bench.screen.painter.placeCursor({ x: 2, y: 0 });
    expect(await bench.takeOutput()).not.toContain('\x1b[?25');
    expect(bench.terminal.cursor).toEqual({ x: 2, y: 0 });
    expect(bench.terminal.modes.cursorVisible).toBe(true);
    bench.screen.painter.placeCursor(undefined);
    expect(await bench.takeOutput()).toBe('\x1b[?2026h\x1b[?25l\x1b[?2026l');
    bench.screen.painter.placeCursor(undefined);
    expect(await bench.takeOutput()).toBe('');
  });

  test('shows the cursor again after a repaint, and on a smaller screen', async () => {
    const bench = new Bench(10, 5);
    bench.frame(['', '', '', '', '/']);
    bench.screen.painter.placeCursor({ x: 1, y: 4 });
    await bench.settled();
    bench.screen.suspend();
    expect(await bench.takeOutput()).toContain('\x1b[?25h');
    bench.screen.resume();
    await bench.settled();
    expect(bench.terminal.modes.cursorVisible).toBe(true);
    expect(bench.terminal.cursor).toEqual({ x: 1, y: 4 });
    bench.resize(10, 3);
    await bench.settled();
    bench.screen.painter.placeCursor({ x: 2, y: 2 });
    await bench.settled();
    expect(bench.terminal.cursor).toEqual({ x: 2, y: 2 });
  });

  test('passes other output on, except while another program has the terminal', async () => {
    const bench = new Bench(10, 5);
    await bench.takeOutput();
    bench.screen.writeThrough('\x1b]52;c;YQ==\x07');
    expect(await bench.takeOutput()).toContain('\x1b]52;c;YQ==\x07');
    bench.screen.suspend();
    await bench.takeOutput();
    bench.screen.writeThrough('\x1b]52;c;Yg==\x07');
    expect(await bench.takeOutput()).toBe('');
    bench.screen.resume();
    expect(await bench.takeOutput()).toContain('\x1b]52;c;Yg==\x07');
    bench.screen.suspend();
    bench.screen.resume();
    expect(await bench.takeOutput()).not.toContain('\x1b]52;');
  });

  test('writes a frame and its regions once', async () => {
    const bench = new Bench(10, 5);
    await bench.settled();
    bench.written.length = 0;
    bench.frame(['soon gone']);
    bench.frame(frame);
    bench.paint(area, () => ['one']);
    await turn();
    expect(bench.written).toHaveLength(1);
    expect(bench.written[0]).not.toContain('soon');
  });

  test('defers rows of a region while the link is full, but not the chrome, and shows the newest', async () => {
    const bench = new Bench(10, 5);
    let line = 0;
    const region = bench.paint(area, () => [`line ${line}`, 'x'.repeat(10)]);
    bench.frame(frame);
    await bench.settled();
    // Without answers of the terminal, rows are deferred in the end.
    for (let count = 0; count < 2000; count += 1) {
      line += 1;
      region.reportChange();
      await turn();
    }
    const held = bench.terminal.rows[1];
    expect(held).not.toBe('line 2000');
    await bench.takeOutput();
    bench.frame(['TITLE', holes, holes, holes, 'foot']);
    expect(await bench.takeOutput()).toContain('TITLE');
    expect(bench.terminal.rows[1]).toBe(held);
    expect(await bench.settled()).toEqual(['TITLE', 'line 2000', 'xxxxxxxxxx', '', 'foot']);
  });

  test('shows the response to a key at once, even if the link is full', async () => {
    const bench = new Bench(10, 5);
    let line = 0;
    const region = bench.paint(area, () => [`line ${line}`, 'x'.repeat(10)]);
    bench.frame(frame);
    await bench.settled();
    for (let count = 0; count < 2000; count += 1) {
      line += 1;
      region.reportChange();
      await turn();
    }
    await bench.takeOutput();
    expect(bench.terminal.rows[1]).not.toBe('line 2000');
    region.reportChange(true);
    await bench.takeOutput();
    expect(bench.terminal.rows[1]).toBe('line 2000');
  });

  test('shows rows that a box had covered at once, even if the link is full', async () => {
    const bench = new Bench(10, 5);
    let text = 'one';
    const region = bench.paint(area, () => [text, text]);
    bench.frame(['title', `${holes.slice(0, 4)}[box] `, holes, holes, 'foot']);
    expect(await bench.settled()).toEqual(['title', 'one [box]', 'one', '', 'foot']);
    text = 'two';
    region.reportChange();
    bench.frame(frame);
    expect(await bench.settled()).toEqual(['title', 'two', 'two', '', 'foot']);
  });

  test('shows the effect of a key on the chrome before its rows', async () => {
    const bench = new Bench(10, 5);
    bench.paint(area, () => ['old']).remove();
    const region = bench.paint(area, () => ['old']);
    bench.frame(frame);
    await bench.settled();
    await bench.takeOutput();
    region.remove();
    bench.paint(area, () => ['new']);
    bench.frame(['title', holes, holes, holes, 'FOOT']);
    expect(await bench.takeOutput()).toMatch(/FOOT.*new/s);
  });

  test('shows the former rows where a box had covered them, and the newest with deferred ones', async () => {
    const bench = new Bench(10, 5);
    let text = 'one';
    const region = bench.paint(area, () => [text, text, text]);
    bench.frame(frame);
    await bench.settled();
    for (let count = 0; count < 2000; count += 1) {
      text = `${count}`;
      region.reportChange();
      await turn();
    }
    bench.frame(['title', holes, '[box]', holes, 'foot']);
    await bench.takeOutput();
    const [, before] = bench.terminal.rows;
    bench.frame(frame);
    await bench.takeOutput();
    expect(bench.terminal.rows.slice(1, 4)).toEqual([before, before, before]);
    expect(await bench.settled()).toEqual(['title', '1999', '1999', '1999', 'foot']);
  });

  test('redraws everything on request, after a resize and after a pause', async () => {
    const bench = new Bench(10, 5);
    bench.paint(area, () => ['one']);
    bench.frame(frame);
    await bench.settled();
    await bench.terminal.write('\x1b[2J\x1b[Hgarbage');
    bench.screen.repaint();
    expect(await bench.settled()).toEqual(['title', 'one', '', '', 'foot']);
    bench.screen.suspend();
    await bench.takeOutput();
    expect(bench.terminal.modes).toMatchObject({ alternateScreen: false, cursorVisible: true });
    bench.frame(['other', holes, holes, holes, 'foot']);
    expect(await bench.takeOutput()).toBe('');
    bench.screen.resume();
    expect(await bench.settled()).toEqual(['other', 'one', '', '', 'foot']);
    bench.resize(12, 5);
    bench.frame(['wide title', holes, holes, holes, 'foot']);
    expect(await bench.settled()).toEqual(['wide title', 'one', '', '', 'foot']);
  });

  test('adopts a size set before the start or during a pause', async () => {
    const bench = new Bench(10, 5);
    bench.frame(['title']);
    await bench.settled();
    bench.screen.suspend();
    bench.terminal.resize(12, 3);
    Object.assign(bench.size, { columns: 12, rows: 3 });
    const sizes: unknown[] = [];
    const { stdout } = bench.screen;
    stdout.on('resize', () => sizes.push([stdout.columns, stdout.rows]));
    bench.screen.resume();
    expect(sizes).toEqual([[12, 3]]);
    bench.frame(['a wide title', '', 'foot']);
    expect(await bench.settled()).toEqual(['a wide title', '', 'foot']);
    bench.terminal.resize(8, 2);
    Object.assign(bench.size, { columns: 8, rows: 2 });
    bench.screen.start({ columns: 10, rows: ['of the size before', ''] });
    bench.frame(['of this', '']);
    expect(await bench.settled()).toEqual(['of this', '']);
  });

  test('writes only the differences from an earlier painted frame', async () => {
    const bench = new Bench(10, 3);
    await bench.terminal.write('\x1b[H\x1b[?1049htitle\r\n\n\x1b[3;1Hfoot');
    bench.screen.start({ columns: 10, rows: ['title', '', 'foot'] });
    await bench.takeOutput();
    bench.frame(['title', 'content', 'foot']);
    const written = await bench.takeOutput();
    expect(written).toContain('content');
    expect(written).not.toContain('title');
  });

  test('measures a slow link again without other output', async () => {
    const bench = new Bench(10, 5);
    let seen = 0;
    bench.screen.link.subscribe(() => {
      seen += 1;
    });
    for (let count = 0; count < 8; count += 1) {
      bench.frame([`frame ${count}`]);
      await turn();
      await bench.pass(400);
      bench.answer();
    }
    expect(bench.screen.link.isSlow()).toBe(true);
    bench.written.length = 0;
    for (let second = 0; second < 300 && bench.screen.link.isSlow(); second += 1) {
      await bench.pass(1000);
      bench.answer();
      await turn();
    }
    expect(bench.screen.link.isSlow()).toBe(false);
    expect(seen).toBe(2);
    expect(new Set(bench.written)).toEqual(new Set([question]));
    const asked = bench.written.length;
    for (let minute = 0; minute < 10; minute += 1) await bench.pass(60_000);
    expect(bench.written).toHaveLength(asked);
  });

  test('ignores an earlier painted frame of another width', async () => {
    const bench = new Bench(10, 3);
    bench.screen.start({ columns: 20, rows: ['title', '', 'foot'] });
    await bench.takeOutput();
    bench.frame(['title', '', 'foot']);
    expect(await bench.takeOutput()).toContain('title');
  });

  test('switches its modes again on a repaint', async () => {
    const bench = new Bench(10, 3);
    bench.frame(['title']);
    await bench.settled();
    await bench.terminal.write('\x1b[?25h\x1b[?7h');
    bench.screen.repaint();
    await bench.settled();
    expect(bench.terminal.modes).toMatchObject({ cursorVisible: false, lineWrap: false });
  });

  test('calls back when the terminal has confirmed the changes', async () => {
    const bench = new Bench(10, 5);
    bench.frame(['first']);
    await bench.settled();
    const seen: string[] = [];
    bench.frame(['second']);
    bench.screen.painter.afterShown(() => seen.push(bench.terminal.rows[0] ?? ''));
    await turn();
    expect(seen).toEqual([]);
    await bench.settled();
    expect(seen).toEqual(['second']);
  });

  test('calls back, and measures a slow link again, even if an answer was lost', async () => {
    const bench = new Bench(10, 5);
    bench.frame(['first']);
    await bench.settled();
    bench.frame(['second']);
    const seen: string[] = [];
    bench.screen.painter.afterShown(() => seen.push('shown'));
    await turn();
    bench.questions = 0; // Lost.
    for (let second = 0; second < 90; second++) {
      await bench.pass(1000);
      bench.answer();
    }
    expect(seen).toEqual(['shown']);
    expect(bench.screen.link.isSlow()).toBe(false);
    bench.frame(['third']);
    bench.screen.painter.afterShown(() => seen.push('again'));
    await bench.settled();
    expect(seen).toEqual(['shown', 'again']);
  });

  test('calls back at once on a terminal that does not answer', async () => {
    const bench = new Bench(10, 5);
    const seen: string[] = [];
    bench.frame(['first']);
    bench.screen.painter.afterShown(() => seen.push('shown'));
    await turn();
    expect(seen).toEqual(['shown']);
  });
});

const text = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', ' ', '日', '\x1b[31m', '\x1b[0m', '🙂', 'e\u0301', 'ש'),
  maxLength: 16,
});
const rows = fc.array(text, { minLength: 6, maxLength: 6 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('frame' as const), top: text, side: rows, box: fc.boolean() }),
  fc.record({ kind: fc.constant('changed' as const), rows }),
  fc.record({ kind: fc.constant('scrolled' as const), row: text }),
  fc.record({ kind: fc.constant('answer' as const) }),
  fc.record({ kind: fc.constant('pass' as const), time: fc.integer({ min: 1, max: 3000 }) }),
  fc.record({ kind: fc.constant('repaint' as const) }),
  fc.record({ kind: fc.constant('resize' as const), columns: fc.integer({ min: 12, max: 24 }) }),
);

test('frames and regions in any order result in the same cells as a full redraw', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const bench = new Bench(20, 8);
      let painted: readonly string[] = [];
      let region: PaintedRegion | undefined;
      let last: readonly string[] = [];
      const draw = (top: string, side: readonly string[], box: boolean): void => {
        const { columns } = bench.size;
        const inner = hole.repeat(columns - 4);
        const boxed = `${hole.repeat(2)}[日]${hole.repeat(columns - 10)}`;
        last = [
          top,
          ...side.map((_, y) => `|${y}| ${box && (y === 2 || y === 3) ? boxed : inner}`),
          'keys',
        ];
        region?.remove();
        region = bench.paint({ left: 4, top: 1, width: columns - 4, height: 6 }, () => painted);
        bench.frame(last);
      };
      draw('', ['', '', '', '', '', ''], false);
      for (const one of steps) {
        if (one.kind === 'frame') draw(one.top, one.side, one.box);
        else if (one.kind === 'answer') bench.answer();
        else if (one.kind === 'pass') await bench.pass(one.time);
        else if (one.kind === 'repaint') bench.screen.repaint();
        else if (one.kind === 'resize') {
          bench.resize(one.columns, 8);
          draw('resized', ['', '', '', '', '', ''], false);
        } else {
          painted = one.kind === 'changed' ? one.rows : [...painted.slice(1), one.row];
          region?.reportChange();
        }
      }
      await bench.settled();
      const cells = pictureOf(bench.terminal);
      const fresh = new Bench(bench.size.columns, 8);
      fresh.paint({ left: 4, top: 1, width: fresh.size.columns - 4, height: 6 }, () => painted);
      fresh.frame(last);
      await fresh.settled();
      expect(cells).toEqual(pictureOf(fresh.terminal));
      bench.terminal.dispose();
      fresh.terminal.dispose();
    }),
    { numRuns: 100 },
  );
});

/** Returns the visible properties of each cell; a blank has no text colour. */
function pictureOf(terminal: ObservedTerminal) {
  return terminal.rows.map((_, y) =>
    Array.from({ length: terminal.cols }, (__, x) => {
      const cell = terminal.cell(x, y);
      if (cell.text.trim() !== '' || cell.width === 0) return cell;
      const { width, backgroundColor, inverse, underline, strikethrough } = cell;
      return { text: ' ', width, backgroundColor, inverse, underline, strikethrough };
    }),
  );
}

describe('facts about frames', () => {
  test('are known once the terminal has acknowledged their frame', async () => {
    const bench = new Bench(20, 2);
    let fact = 'first';
    const facts = bench.screen.followFrames(() => fact);
    bench.frame(['one', '']);
    await turn();
    expect(facts.shown()).toBeUndefined();
    await bench.settled();
    expect(facts.shown()).toBe('first');
    fact = 'second';
    bench.frame(['two', '']);
    await turn();
    fact = 'third';
    bench.frame(['three', '']);
    await turn();
    expect(facts.shown()).toBe('first');
    await bench.settled();
    expect(facts.shown()).toBe('third');
  });

  test('are never known of a terminal that does not answer', async () => {
    const bench = new Bench(20, 2);
    const facts = bench.screen.followFrames(() => 'fact');
    bench.frame(['one', '']);
    for (let second = 0; second < 20; second += 1) await bench.pass(1000);
    bench.frame(['two', '']);
    await turn();
    expect(facts.shown()).toBeUndefined();
  });

  test('change without output where the frame looks the same', async () => {
    const bench = new Bench(20, 2);
    let fact = 1;
    const facts = bench.screen.followFrames(() => fact);
    bench.frame(['one', '']);
    await turn();
    await bench.settled();
    fact = 2;
    bench.frame(['one', '']);
    await turn();
    expect(facts.shown()).toBe(2);
  });
});
