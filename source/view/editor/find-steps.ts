import type { Deck } from '../../store/deck/deck.ts';
import { type Finding, fieldText, finding, otherField } from '../../store/prompts/find.ts';
import type { KeyEvent } from '../../terminal/keys/keys.ts';
import { formatCount } from '../text/amount.ts';
import { editLine } from '../text/line-editor.ts';
import type { KeyResult } from '../command/key-result.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'editor'>;

/** Code units of a selection that are taken for what is to be found. */
const longestTaken = 200;

/** Opens the prompt; what is selected in a line is looked for at once. */
export function askFind(deck: Pick<Deck, 'screen' | 'editor'>): void {
  const before = deck.editor.act(({ state }) => {
    const { anchor, head, from, to } = state.selection.main;
    const selected = to - from <= longestTaken ? state.sliceDoc(from, to) : '';
    return { anchor, head, selected: selected.includes('\n') ? '' : selected };
  });
  if (before === undefined) return;
  const { selected, ...selection } = before;
  search(deck, finding(selected, selection));
}

/** The next or the previous match of what was searched for last. */
export function findAgain(deck: Handles, forward: boolean): void {
  const { editor } = deck;
  const state = editor.act((text) => text.findState);
  if (state === undefined) return askFind(deck);
  const found = editor.act((text) => (forward ? text.findNext() : text.findPrevious()));
  deck.messages.say(found === true ? countText(deck) : `"${state.query.text}" is not found.`);
}

/** `match 3 of 12`; empty while nothing is searched for. */
export function countText({ editor }: Pick<Deck, 'editor'>): string {
  const { document } = editor.state.getState();
  const state = document?.text.findState;
  if (state === undefined) return '';
  const { current, total, hasMore } = state;
  if (total === 0) return 'no match';
  const of = total === undefined ? '' : ` of ${formatCount(total)}${hasMore ? ' or more' : ''}`;
  return current === undefined ? `matches${of}` : `match ${formatCount(current)}${of}`;
}

/** A key while something is typed to be found or put in its place. */
export function findKey(input: KeyEvent, box: Finding, deck: Handles): KeyResult {
  const { editor, screen } = deck;
  switch (input.name) {
    case 'tab':
    case 'shift+tab':
      screen.overlay.open(otherField(box));
      return 'consumed';
    case 'up':
    case 'shift+f3':
      editor.act((text) => text.findPrevious());
      return 'consumed';
    case 'down':
    case 'f3':
      editor.act((text) => text.findNext());
      return 'consumed';
    case 'alt+r':
      search(deck, { ...box, query: { ...box.query, regex: !box.query.regex } });
      return 'consumed';
    case 'alt+c':
      search(deck, { ...box, query: { ...box.query, matchCase: !box.query.matchCase } });
      return 'consumed';
    case 'alt+a':
      if (box.field === 'replace') replaceAll(deck, box);
      return 'consumed';
    case 'enter':
      if (box.field === 'find') endFind(deck);
      else editor.act((text) => text.replaceOne(box.replacement) || text.findNext());
      return 'consumed';
  }
  const line = editLine({ text: fieldText(box), caret: box.caret }, input);
  if (line === undefined) return 'consumed';
  if (box.field === 'replace') {
    screen.overlay.open({ ...box, replacement: line.text, caret: line.caret });
  } else {
    search(deck, { ...box, query: { ...box.query, text: line.text }, caret: line.caret });
  }
  return 'consumed';
}

/** Searches from where the cursor was: a longer query stays at a match that still fits. */
function search(deck: Pick<Deck, 'screen' | 'editor'>, box: Finding): void {
  const problem = deck.editor.act((text) => {
    text.select(box.before.head, box.before.anchor);
    if (box.query.text !== '') return text.find(box.query);
    text.clearFind();
    return undefined;
  });
  deck.screen.overlay.open({ ...box, invalid: problem !== undefined });
}

function replaceAll(deck: Handles, box: Finding): void {
  const count = deck.editor.act((text) => text.replaceAll(box.replacement)) ?? 0;
  deck.screen.overlay.close();
  if (count === 0) deck.messages.say('Nothing is replaced: there is no match.');
  else deck.messages.say(`Replaced ${formatCount(count)}. ^Z takes it back.`);
}

function endFind(deck: Handles): void {
  const counted = countText(deck);
  deck.screen.overlay.close();
  if (counted !== '') deck.messages.say(`${counted}. F3 next, Shift-F3 previous.`);
}

/** Esc: back to where the search began, unless something may have been replaced since. */
export function leaveFind(deck: Pick<Deck, 'screen' | 'editor'>, box: Finding): void {
  deck.screen.overlay.close();
  if (box.field === 'replace') return;
  deck.editor.act((text) => {
    text.clearFind();
    text.select(box.before.head, box.before.anchor);
  });
}
