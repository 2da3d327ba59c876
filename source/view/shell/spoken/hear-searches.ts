/** Boxes in which typing searches a long list: the palette, the help and the changes to undo. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { Overlay } from '../../../store/deck/screen/overlay.ts';
import { chosenChange, type TrashState } from '../../../store/drafts/trash-list.ts';
import { chosenIndex, type Paletting } from '../../../store/prompts/palette.ts';
import { contextName, contextOf } from '../../command/command.ts';
import type { Commands } from '../../command/registry.ts';
import { formatCount } from '../../text/amount.ts';
import { joinWords } from '../../text/row-words.ts';
import { shortDateText } from '../../text/unfinished.ts';
import { trashRows } from '../../trash/rows.ts';
import { chosenRow, openHelpRows } from '../help/help-rows.ts';
import { noPaletteMatch } from '../palette/palette-line.ts';
import { idOfObject } from './box-id.ts';
import type { HeardBox, HeardRow } from './heard.ts';
import { boxTitle } from './hear-questions.ts';

interface Searched {
  readonly id: string;
  readonly intro: readonly string[];
  readonly label: string;
  readonly text: string;
  readonly caret: number;
  readonly row: HeardRow | undefined;
  readonly count: number;
  readonly noun: string;
  readonly noMatch?: string;
}

function searchedBox(searched: Searched): HeardBox {
  const { id, intro, label, text, caret, row, count, noun, noMatch = 'No match.' } = searched;
  const found = row === undefined ? noMatch : `${formatCount(count)} ${noun}. Enter: ${row.text}`;
  return { id, intro, row, field: { label, text, caret }, found };
}

export function hearPalette(deck: Pick<Deck, 'profile'>, open: Paletting): HeardBox {
  const rows = open.rows(open.text);
  const row = rows[chosenIndex(open, rows)];
  const words = row && joinWords([row.name, row.explanation, row.note ?? '', row.key]);
  return searchedBox({
    id: 'palette',
    intro: [`${boxTitle(deck, 'command')}. Type a command, a deployment, a service or a file.`],
    label: 'Command: ',
    ...open,
    row: row && { id: row.id, text: words ?? '' },
    count: rows.length,
    noun: rows.length === 1 ? 'match' : 'matches',
    noMatch: noPaletteMatch,
  });
}

export function hearHelp(
  deck: Deck,
  open: Extract<Overlay, { kind: 'help' }>,
  commands: Commands,
): HeardBox {
  const context = contextOf(open.pane, deck.screen.getState().main);
  const rows = openHelpRows(deck, commands, open);
  const row = rows[chosenRow(rows, open.chosen, open.text)];
  const isCommand = row?.kind === 'command';
  const words = isCommand
    ? joinWords([
        row.keys,
        row.help,
        row.note,
        ...(row.context === context ? [] : [`in ${contextName(row.context)}`]),
      ])
    : '';
  const count = rows.filter(({ kind }) => kind === 'command').length;
  const name = contextName(context);
  return searchedBox({
    id: `help ${open.pane}`,
    intro: [
      `Help: ${name}, ${count} commands. Type to search, Up and Down move, Enter runs, Tab shows another pane, Esc closes.`,
    ],
    label: 'Find: ',
    text: open.text,
    caret: open.caret,
    row: isCommand ? { id: row.id, text: words } : undefined,
    count,
    noun: count === 1 ? 'command' : 'commands',
  });
}

export function hearTrash(
  deck: Pick<Deck, 'clock' | 'deployments' | 'profile'>,
  open: TrashState,
): HeardBox {
  const rows = trashRows(deck, open);
  const row = rows[chosenChange(open, rows)];
  const now = deck.clock.now();
  const words = row && `${shortDateText(row.at, now)}, ${row.text}, ${row.place}`;
  return searchedBox({
    id: idOfObject('trash', open.batches),
    intro: [
      `${boxTitle(deck, open.isWhole ? 'trash' : 'undo')}. Up and Down choose, typing searches, Enter undoes, Esc cancels.`,
    ],
    label: 'Find: ',
    text: open.narrow,
    caret: open.caret,
    row: row && { id: row.id, text: words ?? '' },
    count: rows.length,
    noun: rows.length === 1 ? 'change' : 'changes',
  });
}
