// A CommonJS package: plain Node, which runs the benchmarks, finds no named values in it.
import xterm, { type IBufferCell, type Terminal } from '@xterm/headless';
import { useCurrentUnicode } from './harness-unicode.ts';

/** One cell of the screen. Colours are palette numbers, `#rrggbb`, or undefined for the default. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly color: number | string | undefined;
  readonly backgroundColor: number | string | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
  readonly strikethrough: boolean;
}

/** Everything a program can leave switched on in a terminal. */
export interface Modes {
  readonly alternateScreen: boolean;
  readonly cursorVisible: boolean;
  readonly bracketedPaste: boolean;
  readonly synchronizedOutput: boolean;
  readonly applicationCursorKeys: boolean;
  readonly mouse: string;
  readonly focusReports: boolean;
  readonly lineWrap: boolean;
  /** Entries on the stack of the kitty keyboard protocol. */
  readonly keyboards: number;
}

export interface TerminalEvent {
  readonly kind: 'title' | 'clipboard' | 'bell' | 'link' | 'answer' | 'scroll' | 'buffer';
  readonly text: string;
}

/** An emulated terminal, and what a program did to it besides printing. */
export class ObservedTerminal {
  readonly events: TerminalEvent[] = [];
  readonly #terminal: Terminal;
  #cursorVisible = true;
  #keyboards = 0;

  /** `unicode`: widths of today's terminals, or the tables of Unicode 6 that xterm.js brings. */
  constructor(cols: number, rows: number, unicode: 'current' | 'stock' = 'current') {
    this.#terminal = new xterm.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
    if (unicode === 'current') useCurrentUnicode(this.#terminal);
    this.#observe();
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  /** The visible rows as text, without the spaces at their ends. */
  get rows(): string[] {
    return Array.from({ length: this.#terminal.rows }, (_, row) => this.row(row).trimEnd());
  }

  get cursor(): { readonly x: number; readonly y: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { x: cursorX, y: cursorY };
  }

  get modes(): Modes {
    const { modes, buffer } = this.#terminal;
    return {
      alternateScreen: buffer.active.type === 'alternate',
      cursorVisible: this.#cursorVisible,
      bracketedPaste: modes.bracketedPasteMode,
      synchronizedOutput: modes.synchronizedOutputMode,
      applicationCursorKeys: modes.applicationCursorKeysMode,
      mouse: modes.mouseTrackingMode,
      focusReports: modes.sendFocusMode,
      lineWrap: modes.wraparoundMode,
      keyboards: this.#keyboards,
    };
  }

  /** Text of the cells from `start` to `end` of a visible row, spaces included. */
  row(row: number, start = 0, end = this.cols): string {
    const { active } = this.#terminal.buffer;
    return active.getLine(active.baseY + row)?.translateToString(false, start, end) ?? '';
  }

  cell(x: number, y: number): Cell {
    const { active } = this.#terminal.buffer;
    const cell = active.getLine(active.baseY + y)?.getCell(x) ?? active.getNullCell();
    return {
      text: cell.getChars(),
      width: cell.getWidth(),
      color: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
      backgroundColor: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
      ...attributes(cell),
    };
  }

  /** Takes a program's output; resolves when all of it is on the screen. */
  write(data: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(data, resolve));
  }

  /** Calls back with everything that the terminal itself sends to the program. */
  onAnswer(listener: (data: string) => void): void {
    this.#terminal.onData(listener);
  }

  /** Calls back with each request of the background. */
  onBackgroundRequest(listener: () => void): void {
    this.#terminal.parser.registerOscHandler(11, (body) => {
      if (body === '?') listener();
      return true;
    });
  }

  resize(cols: number, rows: number): void {
    this.#terminal.resize(cols, rows);
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #observe(): void {
    const note = (kind: TerminalEvent['kind'], text = ''): void => {
      this.events.push({ kind, text });
    };
    const { parser, buffer } = this.#terminal;
    this.#terminal.onTitleChange((title) => note('title', title));
    this.#terminal.onBell(() => note('bell'));
    this.#terminal.onData((answer) => note('answer', answer));
    this.#terminal.onScroll(() => note('scroll'));
    buffer.onBufferChange((active) => note('buffer', active.type));
    parser.registerOscHandler(52, (data) => {
      note('clipboard', Buffer.from(data.replace(/^[^;]*;/, ''), 'base64').toString());
      return true;
    });
    parser.registerOscHandler(8, (data) => {
      note('link', data);
      return false;
    });
    const setCursor = (visible: boolean) => (parameters: (number | number[])[]) => {
      if (parameters.includes(25)) this.#cursorVisible = visible;
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, setCursor(true));
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, setCursor(false));
    parser.registerCsiHandler({ prefix: '>', final: 'u' }, () => {
      this.#keyboards++;
      return true;
    });
    parser.registerCsiHandler({ prefix: '<', final: 'u' }, ([count = 1]) => {
      this.#keyboards = Math.max(0, this.#keyboards - Math.max(1, Number(count)));
      return true;
    });
  }
}

function colour(isDefault: boolean, isRgb: boolean, value: number): number | string | undefined {
  if (isDefault) return undefined;
  return isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
}

type Attributes = Omit<Cell, 'text' | 'width' | 'color' | 'backgroundColor'>;

function attributes(cell: IBufferCell): Attributes {
  return {
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
    strikethrough: cell.isStrikethrough() !== 0,
  };
}
