/**
 * Gives what the tests in pseudo-terminals wrote to other terminals, and compares their screens with that of
 * xterm.js, which the tests look at, cell by cell wherever a test looked.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { RecordedEvent } from '../e2e/harness-recording.ts';
import { ObservedTerminal } from '../e2e/harness-terminal.ts';
import { widthOf } from '../e2e/harness-unicode.ts';
import { importPackage } from './install.ts';
import type { Report, Skips } from './report.ts';

export const terminalSkips: Skips = {};

/** A cell of a screen: the character with what is drawn into it, colours, and attributes by their letters. */
interface ScreenCell {
  readonly text: string;
  readonly width: number;
  /** A number of the palette, `#rrggbb`, or undefined for the default. */
  readonly color: number | string | undefined;
  readonly background: number | string | undefined;
  readonly attributes: string;
}

type Row = readonly ScreenCell[];

const letters = {
  bold: 'b',
  dim: 'd',
  italic: 'i',
  underline: 'u',
  inverse: 'r',
  strikethrough: 's',
} as const;

type Attribute = keyof typeof letters;

function attributesOf(has: (name: Attribute) => boolean): string {
  const names = Object.keys(letters) as readonly Attribute[];
  return names
    .filter(has)
    .map((name) => letters[name])
    .join('');
}

/** A terminal whose screen is compared with that of xterm.js. */
interface OtherTerminal {
  begin(cols: number, rows: number): void;
  resize(cols: number, rows: number): void;
  write(output: string): void;
  screen(): Promise<Row[]>;
  end(): void;
  /** Returns a cell of xterm.js as this terminal tells it. */
  expect(cell: ScreenCell): ScreenCell;
}

function rowsOf(terminal: ObservedTerminal, count: number): Row[] {
  return Array.from({ length: count }, (_, y) =>
    Array.from({ length: terminal.cols }, (_, x) => terminal.cell(x, y)).flatMap((cell) => {
      if (cell.width === 0) return [];
      const attributes = attributesOf((name) => cell[name]);
      const { text, width, color, backgroundColor: background } = cell;
      return [{ text, width, color, background, attributes }];
    }),
  );
}

/** Returns a row as text, with columns and styles before the cells where the style changes, and the last column. */
function written(row: Row): string {
  let last = '//';
  let line = '';
  let column = 0;
  let end = '';
  for (const { text, width, color, background, attributes } of row) {
    const isEmpty = text === '' || text === ' ';
    // A blank shows its background and lines, and the other colour where it is inverse.
    const shown = isEmpty ? attributes.replaceAll(/[bdi]/g, '') : attributes;
    const front = isEmpty && shown === '' ? undefined : color;
    const style = `${front ?? ''}/${background ?? ''}/${shown}`;
    if (style !== last) line += `{${column} ${style}}`;
    line += isEmpty ? ' ' : text;
    last = style;
    column += width;
    if (!isEmpty || style !== '//') end = `${line}{${column}}`;
  }
  return end;
}

/** The terminal of Ghostty, which tells no numbers of its palette. */
interface GhosttyModule {
  readonly PersistentTerminal: new (size: {
    cols: number;
    rows: number;
  }) => {
    feed(output: string): void;
    resize(cols: number, rows: number): void;
    destroy(): void;
    getJson(): { readonly lines: readonly { readonly spans: readonly GhosttySpan[] }[] };
  };
}

interface GhosttySpan {
  readonly text: string;
  readonly fg: string | null;
  readonly bg: string | null;
  /** A bit for each of `ghosttyFlags`. */
  readonly flags: number;
  readonly width: number;
}

const ghosttyFlags: readonly Attribute[] = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'inverse',
  'dim',
];

function cellsOf({ text, fg, bg, flags, width: columns }: GhosttySpan): Row {
  const names = new Set(ghosttyFlags.filter((_, bit) => (flags & (1 << bit)) !== 0));
  const style = {
    color: fg ?? undefined,
    background: bg ?? undefined,
    attributes: attributesOf((name) => names.has(name)),
  };
  const cells: ScreenCell[] = [];
  for (const character of text) {
    const width = widthOf(character.codePointAt(0) ?? 0);
    const before = cells.at(-1);
    if (width > 0 || before === undefined) cells.push({ text: character, width, ...style });
    else cells[cells.length - 1] = { ...before, text: before.text + character };
  }
  // It tells the columns of all of them: where they are others, what follows stands elsewhere.
  const missing = columns - cells.reduce((sum, { width }) => sum + width, 0);
  const last = cells.pop();
  return last === undefined ? [] : [...cells, { ...last, width: last.width + missing }];
}

class GhosttyTerminal implements OtherTerminal {
  readonly #module: GhosttyModule;
  readonly #palette: readonly string[];
  #terminal: InstanceType<GhosttyModule['PersistentTerminal']> | undefined;
  #height = 0;

  constructor(module: GhosttyModule) {
    this.#module = module;
    const every = Array.from({ length: 256 }, (_, number) => `\x1b[38;5;${number}mx`).join('');
    this.begin(256, 1);
    this.write(every);
    this.#palette = this.#rows().flatMap((row) => row.map(({ color }) => String(color)));
  }

  begin(cols: number, rows: number): void {
    this.end();
    this.#terminal = new this.#module.PersistentTerminal({ cols, rows });
    this.#height = rows;
  }

  resize(cols: number, rows: number): void {
    this.#terminal?.resize(cols, rows);
    this.#height = rows;
  }

  write(output: string): void {
    this.#terminal?.feed(output);
  }

  async screen(): Promise<Row[]> {
    return this.#rows();
  }

  end(): void {
    this.#terminal?.destroy();
  }

  expect(cell: ScreenCell): ScreenCell {
    const { color, background } = cell;
    return { ...cell, color: this.#named(color), background: this.#named(background) };
  }

  #rows(): Row[] {
    const { lines = [] } = this.#terminal?.getJson() ?? {};
    return lines.slice(-this.#height).map(({ spans }) => spans.flatMap(cellsOf));
  }

  #named(colour: ScreenCell['color']): ScreenCell['color'] {
    return typeof colour === 'number' ? this.#palette[colour] : colour;
  }
}

/** The terminal of libvterm, in a process. */
class LibvtermTerminal implements OtherTerminal {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  #height = 0;

  constructor(program: string) {
    this.#process = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  begin(cols: number, rows: number): void {
    this.#process.stdin.write(`S ${rows} ${cols}\n`);
    this.#height = rows;
  }

  resize(cols: number, rows: number): void {
    this.#process.stdin.write(`R ${rows} ${cols}\n`);
    this.#height = rows;
  }

  write(output: string): void {
    const bytes = Buffer.from(output);
    this.#process.stdin.write(`W ${bytes.length}\n`);
    this.#process.stdin.write(bytes);
  }

  async screen(): Promise<Row[]> {
    this.#process.stdin.write('P\n');
    const rows: Row[] = [];
    while (rows.length < this.#height) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error('libvterm ended');
      rows.push(value.split('\t').slice(0, -1).map(readCell));
    }
    return rows;
  }

  end(): void {
    this.#process.stdin.end();
  }

  /** Leaves out what libvterm does not know: dim text. */
  expect(cell: ScreenCell): ScreenCell {
    return { ...cell, attributes: cell.attributes.replace('d', '') };
  }
}

/** Resolves with the compiled program; undefined where libvterm is not installed. */
async function compileLibvterm(folder: string): Promise<string | undefined> {
  const program = path.join(folder, 'libvterm-screen');
  const source = path.join(import.meta.dirname, 'libvterm-screen.c');
  const compiler = spawn('cc', ['-o', program, source, '-lvterm'], { stdio: 'ignore' });
  return await Promise.race([
    once(compiler, 'close').then(([status]) => (status === 0 ? program : undefined)),
    once(compiler, 'error').then(() => undefined),
  ]);
}

/** Reads a cell as `libvterm-screen.c` writes it. */
function readCell(told: string): ScreenCell {
  const [points = '', width, color, background, attributes = ''] = told.split(':');
  const characters = points.split('.').filter((point) => point !== '');
  return {
    text: characters.map((point) => String.fromCodePoint(Number.parseInt(point, 16))).join(''),
    width: Number(width),
    color: readColour(color),
    background: readColour(background),
    attributes,
  };
}

function readColour(told = '-'): ScreenCell['color'] {
  if (told === '-') return undefined;
  return told.startsWith('#') ? told : Number(told);
}

/** Replays a session; returns the first row that another terminal shows otherwise. */
async function differenceIn(
  events: readonly RecordedEvent[],
  other: OtherTerminal,
): Promise<string | undefined> {
  let height = 0;
  let look = 0;
  let xterm: ObservedTerminal | undefined;
  for (const event of events) {
    if ('cols' in event) {
      if (xterm === undefined) other.begin(event.cols, event.rows);
      else other.resize(event.cols, event.rows);
      xterm ??= new ObservedTerminal(event.cols, event.rows);
      xterm.resize(event.cols, event.rows);
      height = event.rows;
    } else if ('output' in event) {
      await xterm?.write(event.output);
      other.write(event.output);
    } else if (xterm !== undefined) {
      look += 1;
      const rows = rowsOf(xterm, height).map((row) =>
        written(row.map((cell) => other.expect(cell))),
      );
      const others = (await other.screen()).map(written);
      const y = rows.findIndex((row, index) => row !== (others[index] ?? ''));
      if (y !== -1) {
        xterm.dispose();
        return `look ${look}, row ${y}:\n    ${rows[y]}\n    ${others[y]}`;
      }
    }
  }
  xterm?.dispose();
  return undefined;
}

/** Folder of recordings; without it the tests in pseudo-terminals are run. */
async function recordings(folder: string): Promise<string> {
  const given = process.env['HOSTDECK_RECORDINGS'];
  if (given !== undefined) return given;
  const tests = spawn(
    'npx',
    ['vitest', 'run', '--config', '.config/vitest.config.ts', '--reporter=dot', 'test/e2e'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, HOSTDECK_RECORDINGS: folder },
    },
  );
  await once(tests, 'close');
  return folder;
}

export async function checkTerminals(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-terminals-'));
  const recorded = await recordings(folder);
  const files = readdirSync(recorded).filter((file) => file.endsWith('.jsonl'));
  const module = (await importPackage('ghostty-opentui/dist/ffi.js')) as GhosttyModule;
  const libvterm = await compileLibvterm(folder);
  const others = {
    Ghostty: new GhosttyTerminal(module),
    libvterm: libvterm === undefined ? undefined : new LibvtermTerminal(libvterm),
  };
  for (const [name, other] of Object.entries(others)) {
    if (other === undefined) {
      report.lack(name, 'it is not installed (apt-get install gcc libc6-dev libvterm-dev)');
      continue;
    }
    for (const file of files) {
      const lines = readFileSync(path.join(recorded, file), 'utf8').trimEnd().split('\n');
      const events = lines.map((line) => JSON.parse(line) as RecordedEvent);
      await report.check(`${file.replace(/(?:-\d+){2}\.jsonl$/, '')} in ${name}`, () =>
        differenceIn(events, other),
      );
    }
    other.end();
  }
  rmSync(folder, { recursive: true });
}
