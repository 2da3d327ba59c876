import type { Deck } from '../../store/deck/deck.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import type { TreeRow } from '../../store/files/tree-nodes.ts';
import { ageSince } from '../../store/time/age.ts';
import { joinWords, type RowWords } from '../text/row-words.ts';
import { fileMarks } from './marks.ts';

type Handles = Pick<Deck, 'clock' | 'drafts' | 'files' | 'restarts' | 'screen'>;

/** Returns the row of a file or a folder in words, and its states, which are said when they change. */
export function fileRowWords(deck: Handles, row: TreeRow): RowWords {
  const mark = deck.screen.getState().marks.has(row.path) ? 'marked' : '';
  if (row.folder) {
    const state = joinWords([mark, row.open ? 'open' : 'closed']);
    return { text: joinWords([mark, row.path, 'folder', row.open ? 'open' : 'closed']), state };
  }
  const { place } = deck.files.state.getState();
  const restart =
    place === undefined ? undefined : deck.restarts.state.getState().get(place.deploymentId);
  const drafts = deck.drafts.state.getState().drafts.values();
  const marks = fileMarks(place, drafts, restart, deck.files.drafted().newPaths);
  const state = marks.get(row.path) ?? '';
  const size = row.record?.size;
  const age = ageSince(row.record?.modifiedAt, deck.clock.serviceNow());
  return {
    text: joinWords([
      mark,
      row.path,
      size === undefined ? '' : formatBytes(size),
      age === '' ? '' : `changed ${age} ago`,
      state,
    ]),
    state: joinWords([mark, state]),
  };
}
