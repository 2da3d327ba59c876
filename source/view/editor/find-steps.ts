import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { type Finding, fieldText, finding, otherField } from '../../store/prompts/find.ts';
import { formatCount } from '../text/amount.ts';
import { type EditedLine, editLine } from '../text/line-editor.ts';
import type { KeyResult } from '../command/key-result.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';

/** Handles used by most functions of this module. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'editor'>;

/** Longest selection that becomes the query, in code units. */
const longestSelection = 200;

/** Opens the search field; a selection within one line becomes the query. */
export function openFind(deck: Pick<Deck, 'screen' | 'editor'>): void {
  const before = deck.editor.act(({ state }) => {
    const { anchor, head, from, to } = state.selection.main;
    const selected = to - from <= longestSelection ? state.sliceDoc(from, to) : '';
    return { anchor, head, selected: selected.includes('\n') ? '' : selected };
  });
  if (before === undefined) return;
  const { selected, ...selection } = before;
  search(deck, finding(selected, selection));
}

/** Moves to the next or previous match of the last search. */
export function repeatFind(deck: Handles, forward: boolean): void {
  const { editor } = deck;
  const state = editor.act((text) => text.findState);
  if (state === undefined) return openFind(deck);
  const hasFound = editor.act((text) => (forward ? text.findNext() : text.findPrevious()));
  deck.messages.say(
    hasFound === true ? matchCountText(deck) : `"${state.query.text}" was not found.`,
  );
}

/** Returns `match 3 of 12`; empty without a search. */
export function matchCountText({ editor }: Pick<Deck, 'editor'>): string {
  const { document } = editor.state.getState();
  const state = document?.text.findState;
  if (state === undefined) return '';
  const { current, total, hasMore } = state;
  if (total === 0) return 'no match';
  const of = total === undefined ? '' : ` of ${formatCount(total)}${hasMore ? ' or more' : ''}`;
  return current === undefined ? `matches${of}` : `match ${formatCount(current)}${of}`;
}

/** Handles a key in the search or replacement field. */
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
  if (line !== undefined) editFind(deck, box, line);
  return 'consumed';
}

/** Puts an edited line into the focused field. */
export function editFind(
  deck: Pick<Deck, 'screen' | 'editor'>,
  box: Finding,
  { text, caret }: EditedLine,
): void {
  if (box.field === 'replace') {
    deck.screen.overlay.open({ ...box, replacement: text, caret });
  } else {
    search(deck, { ...box, query: { ...box.query, text }, caret });
  }
}

/** Searches from the first cursor position, so that a longer query can stay at the same match. */
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
  if (count === 0) deck.messages.say('No match. Nothing was replaced.');
  else
    deck.messages.say(
      `Replaced ${formatCount(count)}. ${keyName('editor.undo', '^Z')} undoes this.`,
    );
}

function endFind(deck: Handles): void {
  const status = matchCountText(deck);
  deck.screen.overlay.close();
  if (status !== '')
    deck.messages.say(
      `${status}. ${keyName('editor.find-next', 'F3')}: next. ${keyName('editor.find-previous', 'Shift-F3')}: previous.`,
    );
}

/** Ends the search (Esc); from the search field, the cursor returns to its first position. */
export function leaveFind(deck: Pick<Deck, 'screen' | 'editor'>, box: Finding): void {
  deck.screen.overlay.close();
  if (box.field === 'replace') return;
  deck.editor.act((text) => {
    text.clearFind();
    text.select(box.before.head, box.before.anchor);
  });
}
