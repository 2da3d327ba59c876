import { Terminal } from '@xterm/headless';
import { useCurrentUnicode } from '../e2e/harness-unicode.ts';

/** A terminal full of known letters, and whatever was done to it besides printing. */
export class KnownScreen {
  readonly cols = 120;
  readonly rows = 6;
  readonly events: string[] = [];
  readonly #terminal: Terminal;

  constructor(unicode: 'current' | 'stock' = 'current') {
    this.#terminal = new Terminal({
      cols: this.cols,
      rows: this.rows,
      scrollback: 10,
      allowProposedApi: true,
    });
    if (unicode === 'current') useCurrentUnicode(this.#terminal);
    this.#terminal.onTitleChange((title) => this.events.push(`title ${title}`));
    this.#terminal.onBell(() => this.events.push('bell'));
    this.#terminal.onScroll(() => this.events.push('scroll'));
    this.#terminal.onData((answer) => this.events.push(`answer ${answer}`));
    this.#terminal.buffer.onBufferChange(() => this.events.push('buffer'));
    for (const code of [0, 1, 2, 8, 9, 52]) {
      this.#terminal.parser.registerOscHandler(code, () => {
        this.events.push(`osc ${code}`);
        return true;
      });
    }
  }

  /** Fills the screen, then prints `text` at the cell; the screen it gives is compared by callers. */
  async print(text: string, x: number, y: number): Promise<void> {
    const filled = Array.from({ length: this.rows }, (_, row) =>
      String.fromCharCode(97 + row).repeat(this.cols),
    );
    await this.#write(`\x1bc${filled.join('\r\n')}\x1b[${y + 1};${x + 1}H`);
    this.events.length = 0;
    await this.#write(text);
  }

  get cursor(): { x: number; y: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { x: cursorX, y: cursorY };
  }

  get modes(): string {
    return JSON.stringify({ ...this.#terminal.modes });
  }

  /** Text of the cells from `start` to `end` of a row. */
  cells(row: number, start = 0, end = this.cols): string {
    const { active } = this.#terminal.buffer;
    return active.getLine(active.baseY + row)?.translateToString(false, start, end) ?? '';
  }

  #write(data: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(data, resolve));
  }
}
