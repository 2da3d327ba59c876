import { ObservedTerminal } from '../../e2e/harness-terminal.ts';

/** A terminal full of known letters: row 0 is all `a`, row 1 all `b`, and so on. */
export class KnownScreen extends ObservedTerminal {
  static readonly cols = 120;
  static readonly height = 6;

  constructor(unicode: 'current' | 'stock' = 'current') {
    super(KnownScreen.cols, KnownScreen.height, unicode);
  }

  /** Fills the screen, moves the cursor to the cell and prints `text` there. */
  async print(text: string, x: number, y: number): Promise<void> {
    const filled = Array.from({ length: KnownScreen.height }, (_, row) =>
      KnownScreen.letter(row).repeat(KnownScreen.cols),
    );
    await this.write(`\x1bc${filled.join('\r\n')}\x1b[${y + 1};${x + 1}H`);
    this.events.length = 0;
    await this.write(text);
  }

  static letter(row: number): string {
    return String.fromCharCode(97 + row);
  }
}
