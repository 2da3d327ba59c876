/** Prompts for a line of text. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { Overlay } from '../../../store/deck/screen/overlay.ts';
import { type Finding, fieldText } from '../../../store/prompts/find.ts';
import type { Prompting } from '../../../store/prompts/prompt.ts';
import { matchCountText } from '../../editor/find-steps.ts';
import { findHints } from '../../editor/find-row.tsx';
import { formatCount } from '../../text/amount.ts';
import { filterHints } from '../filter-row.tsx';
import { promptHints } from '../prompts/prompt-row.tsx';
import { idOfObject } from './box-id.ts';
import type { HeardBox } from './heard.ts';
import { listWords } from './list-words.ts';

type Hints = readonly (readonly [key: string, label: string])[];

/** Returns the keys of a prompt as a sentence: `Enter continue, Esc cancel.` */
function hintWords(hints: Hints): string {
  return `${hints.map(([key, label]) => `${key} ${label}`.trim()).join(', ')}.`;
}

export function hearFilterPrompt(
  deck: Deck,
  { pane, caret }: Extract<Overlay, { kind: 'filter' }>,
): HeardBox {
  const list = deck.lists[pane];
  const text = deck.screen.getState().filters[pane];
  const index = list.cursorIndex();
  const words = index < 0 ? undefined : listWords(deck, pane, index);
  const count = list.ids().length;
  const rows = `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;
  return {
    id: `filter ${pane}`,
    intro: [`Filter. ${hintWords(filterHints)}`],
    row: words && { id: list.idUnderCursor() ?? '', text: words.text },
    field: { label: 'Filter: ', text, caret },
    found: words === undefined ? 'No row matches.' : `${rows}. ${words.text}`,
  };
}

export function hearFind(deck: Pick<Deck, 'editor'>, finding: Finding): HeardBox {
  const { field, caret, invalid } = finding;
  const label = field === 'find' ? 'Find: ' : 'Replace with: ';
  return {
    id: 'find',
    intro: [hintWords(findHints[field])],
    field: { label, text: fieldText(finding), caret },
    found: invalid ? 'Invalid regular expression.' : matchCountText(deck),
  };
}

export function hearPrompt({ prompt, text, caret, problem, isSelected }: Prompting): HeardBox {
  const shown = prompt.isSecret === true ? '*'.repeat(text.length) : text;
  const invalid = prompt.outcome?.problem() ?? problem;
  const isReplaced = isSelected === true ? ['Typing replaces the name.'] : [];
  const intro = [hintWords(promptHints(prompt)), ...isReplaced];
  const sentence = invalid === undefined ? undefined : `${invalid.sentence} ${invalid.next}`.trim();
  return {
    id: idOfObject('prompt', prompt),
    intro: problem === undefined ? intro : [sentence ?? '', ...intro],
    field: { label: prompt.label, text: shown, caret },
    found: sentence ?? prompt.outcome?.text(),
  };
}
