import type { Deck } from '../../store/deck/deck.ts';
import type { Overlay } from '../../store/deck/screen/overlay.ts';
import type { EditedLine } from '../text/line-editor.ts';

/** Puts an edited line into the open filter of a list. */
export function editFilter(
  { screen, lists }: Pick<Deck, 'screen' | 'lists'>,
  overlay: Extract<Overlay, { kind: 'filter' }>,
  { text, caret }: EditedLine,
): void {
  screen.overlay.open({ ...overlay, caret });
  if (text !== screen.getState().filters[overlay.pane]) lists[overlay.pane].filterRows(text);
}
