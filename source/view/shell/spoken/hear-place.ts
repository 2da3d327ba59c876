/** The focused pane in words: its place, the row under its cursor, and the visible lines of a text. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { ListPane } from '../../../store/lists/list-panes.ts';
import { isDetails, detailRows } from '../../details/details.ts';
import { cursorIndex } from '../../../store/lists/cursor.ts';
import { changeWords } from '../../editor/change-words.ts';
import { listedPatterns, patternUnderCursor } from '../../log/patterns/pattern-cursor.ts';
import { patternSaid } from '../../log/patterns/pattern-rows.ts';
import { cursorWords, entryWords } from '../../log/words.ts';
import { formatCount } from '../../text/amount.ts';
import { spansText } from '../../text/fit.ts';
import { textCount } from '../../command/text-search.ts';
import { listPaneTitles } from '../list-panes.tsx';
import { mainPaneTitle } from '../pane-title.ts';
import type { TerminalSize } from '../../../terminal/screen/ink-stdout.ts';
import type { Heard, HeardPage, HeardRow } from './heard.ts';
import { listWords } from './list-words.ts';
import { visibleText } from './visible-text.ts';

type Here = Pick<Heard, 'place' | 'row' | 'page'>;

/** Returns the focused pane in words. */
export function hearPlace(deck: Deck, size: TerminalSize): Here {
  const { focus, main } = deck.screen.getState();
  if (focus !== 'main') return hearList(deck, focus);
  const text = mainPaneTitle(deck, true);
  if (main.kind === 'logs') return { ...hearLog(deck, text), page: undefined };
  if (main.kind === 'diff') return { place: { id: text, text }, ...hearDifference(deck, size) };
  if (main.kind === 'patterns') {
    return { place: { id: main.kind, text }, row: patternWords(deck), page: undefined };
  }
  if (isDetails(main)) {
    const row = detailRow(deck);
    return { place: { id: text, text }, row, page: undefined };
  }
  const page = visibleText(deck, size);
  return { place: { id: text, text }, row: matchRow(deck, page), page };
}

function hearList(deck: Deck, pane: ListPane): Here {
  const text = listPaneTitles(deck)[pane];
  const place = deck.files.state.getState().place?.service ?? '';
  const id = pane === 'files' ? `files ${deck.opened.getState().id} ${place}` : pane;
  const list = deck.lists[pane];
  const ids = list.ids();
  const index = list.cursorIndex();
  const words = index < 0 ? undefined : listWords(deck, pane, index);
  if (words === undefined) {
    const notice = emptyWords(deck, pane);
    const row = notice === undefined ? undefined : { id: `notice ${notice}`, text: notice };
    return { place: { id, text }, row, page: undefined };
  }
  const position = `${formatCount(index + 1)} of ${formatCount(ids.length)}`;
  const row = { id: ids[index] ?? '', text: `${words.text}, ${position}`, state: words.state };
  return { place: { id, text }, row, page: undefined };
}

/** Returns the sentence in place of the rows of a list; undefined while it loads. */
function emptyWords(deck: Deck, pane: ListPane): string | undefined {
  const { error, loadedAt, rows } = deck.lists[pane].listing();
  if (error !== undefined) return `${error.sentence} ${error.next}`.trimEnd();
  if (loadedAt === undefined) return undefined;
  return rows.length === 0 ? 'The list is empty.' : undefined;
}

function hearLog(deck: Deck, text: string): Pick<Here, 'place' | 'row'> {
  const { tail } = deck.opened.getState();
  const id = `logs ${tail?.deploymentIds.join(' ') ?? ''}`;
  if (tail === undefined) return { place: { id, text }, row: undefined };
  const words = cursorWords(deck, tail);
  if (words !== undefined) {
    return { place: { id, text }, row: { id: `line ${words.seq}`, text: words.text } };
  }
  const last = tail.entries.at(tail.entries.length - 1);
  const ending = last === undefined ? 'no line yet' : `last line: ${entryWords(deck, tail, last)}`;
  const isReady = tail.log.state.getState().ready;
  const row = isReady ? { id: 'following', text: `Following, ${ending}` } : undefined;
  return { place: { id, text }, row };
}

function hearDifference(deck: Deck, size: TerminalSize): Pick<Here, 'row' | 'page'> {
  const { editor, textSearch } = deck;
  const state = editor.difference.state.getState();
  const page = visibleText(deck, size);
  const { at, query } = textSearch.state.getState();
  if (query !== undefined && at !== undefined) return { row: matchRow(deck, page), page };
  const text = changeWords(state);
  const row = text === undefined ? undefined : { id: `change ${state.change}`, text };
  return { row, page };
}

function detailRow(deck: Deck): HeardRow | undefined {
  const { main, detailCursor } = deck.screen.getState();
  if (!isDetails(main)) return undefined;
  const rows = detailRows(deck, main, deck.clock.serviceNow());
  const index = cursorIndex(
    rows.map(({ key }) => key),
    detailCursor,
  );
  const row = rows[index];
  if (row === undefined) return undefined;
  const text = spansText(row.line)
    .trim()
    .replace(/ {2,}/g, ', ')
    .replace(/(?<=[^.])\.$/, '');
  return { id: row.key, text: `${text === '' ? 'blank' : text}, ${index + 1} of ${rows.length}` };
}

/** Returns the pattern under the cursor in words. */
function patternWords(deck: Deck): HeardRow | undefined {
  const patterns = listedPatterns(deck);
  const pattern = patternUnderCursor(deck);
  if (pattern === undefined) return undefined;
  const now = deck.clock.serviceNow();
  const { tail } = deck.opened.getState();
  const filters = tail?.filter.state.getState().filters ?? [];
  const name = tail?.patternNames.of(pattern.template);
  const words = patternSaid(pattern, { now, filters, name });
  const index = patterns.findIndex(({ id }) => id === pattern.id);
  const position = `${index + 1} of ${patterns.length}`;
  return { id: String(pattern.id), text: `${words}, ${position}` };
}

/** Returns the line of the current match of a search in a text. */
function matchRow(deck: Deck, page: HeardPage | undefined): HeardRow | undefined {
  const { at, query, jumps } = deck.textSearch.state.getState();
  if (query === undefined || at === undefined || page === undefined) return undefined;
  const line = page.lines[at - page.first] ?? '';
  return {
    id: `match ${at} ${jumps}`,
    text: `line ${at + 1}: ${line}, ${textCount(deck.textSearch)}`,
  };
}
