import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { clipboardLimit } from '../../terminal/clipboard.ts';
import { formatBytes } from '../../store/files/file-size.ts';

/** Result of sending a text to the clipboard; the terminal doesn't confirm that it arrived. */
export interface Sent {
  readonly bytes: number;
  /** False for a text longer than terminals accept. */
  readonly isSent: boolean;
  readonly kept: { readonly file: string } | { readonly whyNot: string };
}

/** Access to the user's clipboard through the terminal. */
export interface Clipboard {
  readonly copy: (text: string) => Promise<Sent>;
  readonly hasCopied: () => boolean;
  /** Prints a text, or the last copied one, to the terminal; resolves when the user returns. */
  readonly print: (text?: string) => Promise<void>;
}

export type CopyForm = 'short' | 'whole';

/** Copies a text and reports the result, also for an empty text. */
export async function copyText(
  deck: Pick<Deck, 'messages'>,
  clipboard: Clipboard,
  text: string,
): Promise<void> {
  if (text === '') return deck.messages.say('There is nothing to copy here.');
  const result = await clipboard.copy(text);
  deck.messages.say(sentSentence(result), result.isSent ? 'plain' : 'bad');
}

/** Prints the last copied text. */
export async function printCopied(
  deck: Pick<Deck, 'messages'>,
  clipboard: Clipboard,
): Promise<void> {
  if (clipboard.hasCopied()) return clipboard.print();
  deck.messages.say(
    `Nothing copied yet. ${keyName('log.copy-text', 'y')} copies the row under the cursor.`,
  );
}

/** Reports the result of a copy, and the file of a text that was too long to send. */
export function sentSentence({ bytes, isSent, kept }: Sent): string {
  const size = formatBytes(bytes);
  const unsaved = 'file' in kept ? '' : ` No copy was saved: ${kept.whyNot}.`;
  if (isSent)
    return `Sent ${size} to the clipboard.${unsaved} ${keyName('app.print', 'P')} prints it.`;
  const limit = formatBytes(clipboardLimit);
  const saved = 'file' in kept ? ` Saved in ${kept.file}.` : unsaved;
  return `${size} is more than the clipboard takes (${limit}).${saved} ${keyName('app.print', 'P')} prints it.`;
}
