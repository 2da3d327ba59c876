import type { Deck } from '../../store/deck/deck.ts';
import { clipboardLimit } from '../../terminal/clipboard.ts';
import { formatBytes } from '../text/amount.ts';

/** What came of sending a text to the clipboard; whether it arrived, nobody can tell. */
export interface Sent {
  readonly bytes: number;
  /** False for a text that is longer than terminals take. */
  readonly isSent: boolean;
  readonly kept: { readonly file: string } | { readonly whyNot: string };
}

/** The way to the person's clipboard. */
export interface Clipboard {
  readonly copy: (text: string) => Promise<Sent>;
  readonly hasCopied: () => boolean;
  /** Prints a text, else what was copied last, to the terminal and waits until it was read. */
  readonly print: (text?: string) => Promise<void>;
}

export type CopyForm = 'short' | 'whole';

/** Copies a text and says where it went; says so where the text is empty. */
export async function copyText(
  deck: Pick<Deck, 'messages'>,
  clipboard: Clipboard,
  text: string,
): Promise<void> {
  if (text === '') return deck.messages.say('There is nothing to copy here.');
  const sent = await clipboard.copy(text);
  deck.messages.say(sentSentence(sent), sent.isSent ? 'plain' : 'bad');
}

/** Prints what was copied last. */
export async function printCopied(
  deck: Pick<Deck, 'messages'>,
  clipboard: Clipboard,
): Promise<void> {
  if (clipboard.hasCopied()) return clipboard.print();
  deck.messages.say('Nothing was copied yet. y copies the row under the cursor.');
}

/** Where a copied text is now (screens, sentence 14). */
export function sentSentence({ bytes, isSent, kept }: Sent): string {
  const size = formatBytes(bytes);
  const what = isSent
    ? `Sent ${size} to the clipboard`
    : `${size} are more than terminals take for the clipboard (${formatBytes(clipboardLimit)})`;
  const copy = 'file' in kept ? `, copy in ${kept.file}.` : `; no copy is kept: ${kept.whyNot}.`;
  return `${what}${copy} ${isSent ? 'Not there? ' : ''}P prints it.`;
}
