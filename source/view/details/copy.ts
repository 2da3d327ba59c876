import type { Deck } from '../../store/deck/deck.ts';
import { clipboardLines } from '../../terminal/clipboard.ts';
import { type Clipboard, type CopyForm, copyText } from '../command/copy.ts';
import { detailUnderCursor } from './details.ts';

/** Copies the value of the row under the cursor of Details, or its whole field. */
export function copyDetail(
  deck: Pick<
    Deck,
    'lists' | 'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'grants' | 'colours'
  >,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const row = detailUnderCursor(deck);
  const text = clipboardLines((form === 'whole' ? row?.whole : undefined) ?? row?.value ?? '');
  return copyText(deck, clipboard, text);
}
