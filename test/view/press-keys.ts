import type { Deck } from '../../source/store/deck/deck.ts';
import { cursorAt } from '../../source/store/lists/cursor.ts';
import type { ConfirmBox } from '../../source/store/prompts/confirm.ts';
import { boxAnswersAfter } from '../../source/store/deck/screen/overlay.ts';
import { dispatch } from '../../source/view/shell/dispatch.ts';
import { trashRows } from '../../source/view/trash/rows.ts';
import { quietTerminal } from './quiet-terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import { setScreen } from '../support/set-screen.ts';

const terminal = quietTerminal();
const viewport = { rows: 10, lines: 10 };

/** Presses keys by their names, one directly after the other. */
export function press(deck: Deck, ...names: readonly string[]): void {
  for (const name of names) {
    const text = name.length === 1 ? { text: name } : {};
    dispatch({ name, ...text }, { deck, terminal, viewport });
  }
}

export function paste(deck: Deck, text: string): void {
  dispatch({ name: 'paste', text }, { deck, terminal, viewport });
}

export function type(deck: Deck, text: string): void {
  press(deck, ...text.split(''));
}

/** Focuses the file tree with the cursor on a row. */
export function goToFile(deck: Deck, path: string): void {
  const ids = deck.lists.files.ids();
  const index = ids.indexOf(path);
  if (index === -1) throw new Error(`no row of ${path} among ${ids.join(', ')}`);
  setScreen(deck.screen, ({ cursors }) => ({
    focus: 'files',
    cursors: { ...cursors, files: cursorAt(ids, index) },
  }));
}

/** Waits for a box whose title contains `title`, and skips the time until it may be answered. */
export async function boxOf(deck: Deck, title: string): Promise<ConfirmBox['question']> {
  return waitFor(() => {
    const { overlay } = deck.screen.getState();
    if (overlay?.kind !== 'question' || !overlay.question.title.includes(title)) {
      throw new Error(`no box ${title}, but ${JSON.stringify(overlay)}`);
    }
    const shownAt = deck.clock.now() - boxAnswersAfter;
    setScreen(deck.screen, { overlay: { ...overlay, shownAt } });
    return overlay.question;
  });
}

/**
 * Opens the box of changes, skips the time until it may be answered, and returns its rows as texts.
 * Enter then undoes the first one.
 */
export async function openUndo(deck: Deck): Promise<readonly string[]> {
  press(deck, 'u');
  return waitFor(() => {
    const { overlay } = deck.screen.getState();
    if (overlay?.kind !== 'trash') throw new Error(`no box, but ${JSON.stringify(overlay)}`);
    const shownAt = deck.clock.now() - boxAnswersAfter;
    setScreen(deck.screen, { overlay: { ...overlay, shownAt } });
    return trashRows(deck, overlay).map(({ text, place }) => `${text} | ${place}`);
  });
}

/** Waits until the message row contains `text`. */
export async function said(deck: Deck, text: string): Promise<void> {
  await waitFor(() => {
    const message = deck.screen.getState().message?.text ?? '';
    if (!message.includes(text)) throw new Error(`said "${message}", not "${text}"`);
  });
}

/** Waits for a prompt whose label contains `label`, and skips the time until it may be answered. */
export async function promptOf(deck: Deck, label: string): Promise<string> {
  return waitFor(() => {
    const { overlay } = deck.screen.getState();
    if (overlay?.kind !== 'prompt' || !overlay.prompt.label.includes(label)) {
      throw new Error(`no prompt ${label}, but ${JSON.stringify(overlay)}`);
    }
    const shownAt = deck.clock.now() - boxAnswersAfter;
    setScreen(deck.screen, { overlay: { ...overlay, shownAt } });
    return overlay.text;
  });
}
