/** Digits answer boxes that number their answers; elsewhere they are keys or text like any other. */
import type { Deck } from '../../../store/deck/deck.ts';
import { boxAnswersAfter, type Overlay } from '../../../store/deck/screen/overlay.ts';
import { foundItems } from '../../../store/prompts/menu.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';
import { chooseItem } from '../../popup/menu-keys.ts';
import { mostNumbered } from './hear-lists.ts';

/** Keys that change a text without typing a character. */
const editing: ReadonlySet<string> = new Set(['enter', 'tab', 'backspace', 'delete', 'paste']);

/**
 * Selects the answer of a digit and returns the keys that give it: none in a box that could not be
 * heard yet, or without this answer. Undefined for a key that answers nothing.
 */
export function answerKeys(deck: Deck, { name, text }: KeyEvent): readonly string[] | undefined {
  const { main, focus, overlay: box } = deck.screen.getState();
  // Nobody hears what is typed into the console's own editor.
  const isEditor = main.kind === 'editor' && focus === 'main' && box === undefined;
  if (isEditor && (text !== undefined || editing.has(name))) return [];
  if (!/^[1-9]$/.test(name)) return undefined;
  const index = Number(name) - 1;
  const { screen, clock } = deck;
  const { overlay } = screen.getState();
  if (overlay === undefined) return undefined;
  if (overlay.kind === 'menu') {
    const item = index < mostNumbered ? foundItems(overlay)[index] : undefined;
    if (item !== undefined) chooseItem(deck, item);
    return [];
  }
  const choose = answerOf(overlay, index);
  if (choose === undefined) return undefined;
  const isHeard = 'shownAt' in overlay && clock.now() - overlay.shownAt >= boxAnswersAfter;
  const answered = isHeard ? choose() : undefined;
  if (answered === undefined) return [];
  screen.overlay.open(answered);
  return ['enter'];
}

/**
 * Returns a function that gives the box with an answer selected, or undefined where it has no such
 * answer; undefined for a box without numbered answers.
 */
function answerOf(overlay: Overlay, index: number): (() => Overlay | undefined) | undefined {
  if (overlay.kind === 'question') {
    const { options, typed } = overlay.question;
    if (typed !== undefined) return undefined;
    return () => (index < options.length ? { ...overlay, chosen: index } : undefined);
  }
  if (overlay.kind !== 'restart' && overlay.kind !== 'restarts') return undefined;
  return () => (index < buttons[overlay.kind] ? { ...overlay, button: index } : undefined);
}

const buttons = { restart: 2, restarts: 3 } as const;
