/** Private modes that are on in a terminal nobody has touched: line wrap and the cursor. */
const onByDefault = new Set(['7', '25']);

const introducer = '\x1b[';

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
    if (!/\[(?:[?<>]|\d*;?\d*r)/.test(written)) return; // A frame of coloured text.
    for (const sequence of written.split(introducer).slice(1)) this.#note(sequence);
  }

  /** What to write to leave the terminal as it was: the last change first, then plain colours. */
  undo(): string {
    const changes = [...this.#undo.values()].reverse();
    return [...changes, this.#undo.size > 0 ? `${introducer}0m` : ''].join('');
  }

  #note(sequence: string): void {
    const [, modes, action] = /^\?([\d;]+)([hl])/.exec(sequence) ?? [];
    for (const mode of modes?.split(';') ?? []) {
      this.#change(mode, action === 'h' ? 'l' : 'h', (action === 'h') !== onByDefault.has(mode));
    }
    if (/^>\d*u/.test(sequence)) this.#keyboard(this.#keyboards + 1);
    const [popped, count = '1'] = /^<(\d*)u/.exec(sequence) ?? [];
    if (popped !== undefined) this.#keyboard(this.#keyboards - Number(count || 1));
    const [region, margins] = /^([\d;]*)r/.exec(sequence) ?? [];
    if (region !== undefined) this.#set('region', `${introducer}r`, margins !== '');
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
