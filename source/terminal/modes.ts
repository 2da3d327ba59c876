/** Private modes that are on by default: line wrap and the cursor. */
const onByDefault = new Set(['7', '25']);

/**
 * Alternate scroll, whose default differs between terminals: it is saved before it is set, and
 * restored (xterm's XTSAVE and XTRESTORE).
 */
const savedMode = '1007';

/** Saves alternate scroll and sets it: the wheel sends arrow keys, and selections stay the terminal's. */
export const enterAlternateScroll = `\x1b[?${savedMode}s\x1b[?${savedMode}h`;

const introducer = '\x1b[';

/** Private modes set, reset or restored, keyboard flags pushed or popped, margins set or reset. */
// eslint-disable-next-line no-control-regex
const changes = /\x1b\[(?:\?([\d;]+)([hlr])|(>\d*)u|<(\d*)u|([\d;]*)r)/g;

/**
 * Tracks the modes that a program changes in its terminal by reading its output, so that all of them
 * can be undone: private modes (alternate screen, cursor, bracketed paste, mouse, synchronized
 * output), the kitty keyboard protocol and the scroll region. A sequence must arrive in one write.
 */
export class TerminalModes {
  /** Sequences that undo the changes, in the order of these. */
  readonly #undo = new Map<string, string>();
  #keyboards = 0;

  /** Records the modes that this output changes. */
  observe(written: string): void {
    for (const [, modes, action, pushed, popped, margins] of written.matchAll(changes)) {
      for (const mode of modes?.split(';') ?? []) {
        const differs = action !== 'r' && (action === 'h') !== onByDefault.has(mode);
        this.#change(mode, action === 'h' ? 'l' : 'h', differs);
      }
      if (pushed !== undefined) this.#keyboard(this.#keyboards + 1);
      if (popped !== undefined) this.#keyboard(this.#keyboards - Number(popped || 1));
      if (margins !== undefined) this.#set('region', `${introducer}r`, margins !== '');
    }
  }

  /** Returns the output that restores the terminal: the last change first, then plain colours. */
  undo(): string {
    const changes = [...this.#undo.values()].reverse();
    return [...changes, this.#undo.size > 0 ? `${introducer}0m` : ''].join('');
  }

  #change(mode: string, back: string, differs: boolean): void {
    this.#set(mode, `${introducer}?${mode}${mode === savedMode ? 'r' : back}`, differs);
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
