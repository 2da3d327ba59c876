/** Private modes that are on in a terminal nobody has touched: line wrap and the cursor. */
const onByDefault = new Set(['7', '25']);

const introducer = '\x1b[';

/** Private modes set or reset, a keyboard mode pushed or popped, margins set or taken back. */
// eslint-disable-next-line no-control-regex
const changes = /\x1b\[(?:\?([\d;]+)([hl])|(>\d*)u|<(\d*)u|([\d;]*)r)/g;

/**
 * What a program has switched on in a terminal, found out from what it wrote, so that it can be
 * switched off whoever did it: private modes (alternate screen, cursor, bracketed paste, mouse,
 * synchronized output), the kitty keyboard protocol and the scroll region. A sequence counts when it
 * is written in one piece.
 */
export class TerminalModes {
  /** How to undo each change, in the order they were made. */
  readonly #undo = new Map<string, string>();
  #keyboards = 0;

  /** Takes note of the modes that `written` switches. */
  observe(written: string): void {
    // Of a picture of a log, most sequences are others.
    for (const [, modes, action, pushed, popped, margins] of written.matchAll(changes)) {
      for (const mode of modes?.split(';') ?? []) {
        this.#change(mode, action === 'h' ? 'l' : 'h', (action === 'h') !== onByDefault.has(mode));
      }
      if (pushed !== undefined) this.#keyboard(this.#keyboards + 1);
      if (popped !== undefined) this.#keyboard(this.#keyboards - Number(popped || 1));
      if (margins !== undefined) this.#set('region', `${introducer}r`, margins !== '');
    }
  }

  /** What to write to leave the terminal as it was: the last change first, then plain colours. */
  undo(): string {
    const changes = [...this.#undo.values()].reverse();
    return [...changes, this.#undo.size > 0 ? `${introducer}0m` : ''].join('');
  }

  #change(mode: string, back: string, differs: boolean): void {
    this.#set(mode, `${introducer}?${mode}${back}`, differs);
  }

  #keyboard(pushed: number): void {
    this.#keyboards = Math.max(0, pushed);
    this.#set('keyboard', `${introducer}<${this.#keyboards}u`, this.#keyboards > 0);
  }

  #set(key: string, undo: string, differs: boolean): void {
    this.#undo.delete(key);
    if (differs) this.#undo.set(key, undo);
  }
}
