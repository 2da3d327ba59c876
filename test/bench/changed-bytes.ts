import type { Cell, ObservedTerminal } from '../e2e/harness-terminal.ts';

/** The cells of a screen at one moment. */
export type Picture = readonly (readonly Cell[])[];

/** What may be written around a change: begin and end of an update, and a question. */
const around = 20;

export function pictureOf(terminal: ObservedTerminal): Picture {
  return terminal.rows.map((_, y) =>
    Array.from({ length: terminal.cols }, (_cell, x) => terminal.cell(x, y)),
  );
}

export function sameCells(left: readonly Cell[] = [], right: readonly Cell[] = []): boolean {
  return left.length === right.length && left.every((cell, x) => sameCell(cell, right[x]));
}

/**
 * The reference for a change of the screen: the text of the runs of changed cells, a jump to each,
 * the colours, and 20 bytes. Runs are joined where the cells between them cost no more than a jump.
 */
export function bytesOfRuns(before: Picture, after: Picture): number {
  let bytes = around;
  let style: Cell | undefined;
  for (const [y, row] of after.entries()) {
    for (const [start, end] of runs(before[y] ?? [], row, y)) {
      const cells = row.slice(start, end);
      bytes += jump(start, y).length + textBytes(cells);
      for (const cell of cells) {
        bytes += colourBytes(style, cell);
        style = cell;
      }
    }
  }
  return bytes + colourBytes(style, undefined);
}

/** The reference for a line that a scrolled log brings: its text, one jump, colours, and 20 bytes. */
export function bytesOfLine(row: readonly Cell[], y: number): number {
  const seen = row.map((cell, x) => (isBlank(cell) ? -1 : x)).filter((x) => x !== -1);
  const start = seen[0] ?? 0;
  const cells = row.slice(start, (seen.at(-1) ?? -1) + 1);
  let bytes = around + jump(start, y).length + textBytes(cells);
  let style: Cell | undefined;
  for (const cell of cells) {
    // A blank shows no colour of letters, and need not change it.
    if (isBlank(cell)) continue;
    bytes += colourBytes(style, cell);
    style = cell;
  }
  return bytes + colourBytes(style, undefined);
}

function runs(before: readonly Cell[], after: readonly Cell[], y: number): [number, number][] {
  const found: [number, number][] = [];
  for (const [x, cell] of after.entries()) {
    if (sameCell(before[x], cell)) continue;
    const last = found.at(-1);
    if (last !== undefined && textBytes(after.slice(last[1], x)) <= jump(x, y).length) {
      last[1] = x + 1;
    } else {
      found.push([x, x + 1]);
    }
  }
  return found;
}

/** Cursor position (ECMA-48 8.3.21). */
function jump(x: number, y: number): string {
  return `\x1b[${y + 1};${x + 1}H`;
}

function textBytes(cells: readonly Cell[]): number {
  return cells.reduce(
    (sum, { text, width }) => sum + (width === 0 ? 0 : Buffer.byteLength(text || ' ')),
    0,
  );
}

/** Bytes of the SGR that goes from one style to another; undefined is the default one. */
function colourBytes(from: Cell | undefined, to: Cell | undefined): number {
  const old = from === undefined ? [] : styleOf(from);
  const wanted = to === undefined ? [] : styleOf(to);
  const added = wanted.filter((code) => !old.includes(code));
  const kept = old.every((code) => wanted.some((other) => kindOf(other) === kindOf(code)));
  if (kept && added.length === 0) return 0;
  if (kept) return `\x1b[${added.join(';')}m`.length;
  return `\x1b[${['', ...wanted].join(';')}m`.length;
}

/** SGR parameters (ECMA-48 8.3.117, and xterm's for palettes and direct colours). */
function styleOf(cell: Cell): string[] {
  const codes = [
    cell.bold && '1',
    cell.dim && '2',
    cell.italic && '3',
    cell.underline && '4',
    cell.inverse && '7',
    cell.strikethrough && '9',
    colourCode(cell.color, 30),
    colourCode(cell.backgroundColor, 40),
  ];
  return codes.filter((code) => typeof code === 'string');
}

function colourCode(colour: number | string | undefined, base: number): string | false {
  if (colour === undefined) return false;
  if (typeof colour === 'string') {
    const value = Number.parseInt(colour.slice(1), 16);
    return `${base + 8};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}`;
  }
  if (colour < 8) return String(base + colour);
  return colour < 16 ? String(base + 52 + colour) : `${base + 8};5;${colour}`;
}

/** Codes of one kind replace each other: colours of letters, of the ground, or a single attribute. */
function kindOf(code: string): string {
  if (/^(?:3\d|9\d)/.test(code)) return 'letters';
  return /^(?:4\d|10\d)/.test(code) ? 'ground' : code;
}

function isBlank(cell: Cell): boolean {
  return cell.text.trim() === '' && styleOf(cell).every((code) => kindOf(code) === 'letters');
}

function sameCell(left: Cell | undefined, right: Cell | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.width !== right.width || (left.text || ' ') !== (right.text || ' ')) return false;
  if (isBlank(left) && isBlank(right)) return true;
  return styleOf(left).join(';') === styleOf(right).join(';');
}
