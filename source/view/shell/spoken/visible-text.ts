import type { TerminalSize } from '../../../terminal/screen/ink-stdout.ts';
import type { Deck } from '../../../store/deck/deck.ts';
import { diffRowWords } from '../../editor/change-words.ts';
import { viewedText } from '../../files/text.ts';
import { historyRows } from '../../history/rows.ts';
import { spansText } from '../../text/fit.ts';
import { paneViewport } from '../viewport.ts';
import type { HeardPage } from './heard.ts';

/** Columns of the history's rows; wrapped ones would be said in parts. */
const historyColumns = 1000;

/** Returns the visible lines of the text in pane 4; undefined while it loads, or for another view. */
export function visibleText(deck: Deck, size: TerminalSize): HeardPage | undefined {
  const { main, scroll } = deck.screen.getState();
  const lines = linesOf(deck);
  if (lines === undefined) return undefined;
  const { rows } = paneViewport(deck, size);
  const first = Math.max(0, Math.min(scroll.top, lines.length - rows));
  const { opened } = deck.files.state.getState();
  const id = main.kind === 'file' ? `file ${opened?.path}` : main.kind;
  return { id, first, lines: lines.slice(first, first + rows).map(blankAware) };
}

function linesOf(deck: Deck): readonly string[] | undefined {
  const { kind } = deck.screen.getState().main;
  if (kind === 'file') return fileLines(deck);
  if (kind === 'diff') {
    const { shown } = deck.editor.difference.state.getState();
    return shown?.comparison.unified().rows.map(diffRowWords);
  }
  if (kind !== 'history') return undefined;
  return historyRows(deck.history.entries.getState(), historyColumns).map(spansText);
}

function fileLines({ files }: Pick<Deck, 'files'>): readonly string[] | undefined {
  const { opened } = files.state.getState();
  if (opened?.body === undefined) {
    const { error } = opened ?? {};
    return error === undefined ? undefined : [`${error.sentence} ${error.next}`.trimEnd()];
  }
  const { notes, lines } = viewedText(opened.body);
  return notes.length === 0 ? lines : [...notes.map(spansText), ...lines];
}

function blankAware(line: string): string {
  return line.trim() === '' ? 'blank' : line;
}
