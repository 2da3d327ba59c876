import type { Console } from '../../store/deck/deck.ts';
import { type Finding, fieldText, finding, otherField } from '../../store/prompts/find.ts';
import type { KeyEvent } from '../../terminal/keys/keys.ts';
import { formatCount } from '../text/amount.ts';
import { editLine } from '../text/line-editor.ts';
import type { Verdict } from '../command/key-result.ts';

/** Code units of a selection that are taken for what is to be found. */
const longestTaken = 200;

/** Opens the prompt; what is selected in a line is looked for at once. */
export function askFind(console: Console): void {
  const before = console.editor.act(({ state }) => {
    const { anchor, head, from, to } = state.selection.main;
    const selected = to - from <= longestTaken ? state.sliceDoc(from, to) : '';
    return { anchor, head, selected: selected.includes('\n') ? '' : selected };
  });
  if (before === undefined) return;
  const { selected, ...selection } = before;
  search(console, finding(selected, selection));
}

/** The next or the previous match of what was searched for last. */
export function findAgain(console: Console, forward: boolean): void {
  const { editor } = console;
  const state = editor.act((text) => text.findState);
  if (state === undefined) return askFind(console);
  const found = editor.act((text) => (forward ? text.findNext() : text.findPrevious()));
  console.say(found === true ? countText(console) : `"${state.query.text}" is not found.`);
}

/** `match 3 of 12`; empty while nothing is searched for. */
export function countText({ editor }: Console): string {
  const { document } = editor.state.getState();
  const state = document?.text.findState;
  if (state === undefined) return '';
  const { current, total, more } = state;
  if (total === 0) return 'no match';
  const of = total === undefined ? '' : ` of ${formatCount(total)}${more ? ' or more' : ''}`;
  return current === undefined ? `matches${of}` : `match ${formatCount(current)}${of}`;
}

/** A key while something is typed to be found or put in its place. */
export function findKey(input: KeyEvent, box: Finding, console: Console): Verdict {
  const { editor, screen } = console;
  switch (input.name) {
    case 'tab':
    case 'shift+tab':
      screen.setState({ overlay: otherField(box) });
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
      search(console, { ...box, query: { ...box.query, regex: !box.query.regex } });
      return 'consumed';
    case 'alt+c':
      search(console, { ...box, query: { ...box.query, matchCase: !box.query.matchCase } });
      return 'consumed';
    case 'alt+a':
      if (box.field === 'replace') replaceAll(console, box);
      return 'consumed';
    case 'enter':
      if (box.field === 'find') endFind(console);
      else editor.act((text) => text.replaceOne(box.replacement) || text.findNext());
      return 'consumed';
  }
  const line = editLine({ text: fieldText(box), caret: box.caret }, input);
  if (line === undefined) return 'consumed';
  if (box.field === 'replace') {
    screen.setState({ overlay: { ...box, replacement: line.text, caret: line.caret } });
  } else {
    search(console, { ...box, query: { ...box.query, text: line.text }, caret: line.caret });
  }
  return 'consumed';
}

/** Searches from where the cursor was: a longer query stays at a match that still fits. */
function search(console: Console, box: Finding): void {
  const problem = console.editor.act((text) => {
    text.select(box.before.head, box.before.anchor);
    if (box.query.text !== '') return text.find(box.query);
    text.clearFind();
    return undefined;
  });
  console.screen.setState({ overlay: { ...box, invalid: problem !== undefined } });
}

function replaceAll(console: Console, box: Finding): void {
  const count = console.editor.act((text) => text.replaceAll(box.replacement)) ?? 0;
  console.screen.setState({ overlay: undefined });
  if (count === 0) console.say('Nothing is replaced: there is no match.');
  else console.say(`Replaced ${formatCount(count)}. ^Z takes it back.`);
}

function endFind(console: Console): void {
  const counted = countText(console);
  console.screen.setState({ overlay: undefined });
  if (counted !== '') console.say(`${counted}. F3 next, Shift-F3 previous.`);
}

/** Esc: back to where the search began, unless something may have been replaced since. */
export function leaveFind(console: Console, box: Finding): void {
  console.screen.setState({ overlay: undefined });
  if (box.field === 'replace') return;
  console.editor.act((text) => {
    text.clearFind();
    text.select(box.before.head, box.before.anchor);
  });
}
