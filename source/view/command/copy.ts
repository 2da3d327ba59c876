import type { Deck } from '../../store/deck/deck.ts';
import { cursorIndex } from '../../store/lists/cursor.ts';
import type { Deployment } from '../../store/deployments/deployments.ts';
import { chosenPaths } from '../../store/files/targets.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { listIds } from '../../store/deck/rows.ts';
import type { ListPane } from '../../store/deck/screen/focus.ts';
import { clipboardLimit, clipboardLines, clipboardText } from '../../terminal/clipboard.ts';
import { formatBytes } from '../text/amount.ts';
import { detailUnderCursor } from '../details/details.ts';
import { historyLines } from '../history/rows.ts';

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

/** Copies what the focused list has under its cursor or marked, or the history; says where it went. */
export async function copyRows(
  deck: Pick<
    Deck,
    | 'clock'
    | 'screen'
    | 'messages'
    | 'history'
    | 'deployments'
    | 'opened'
    | 'files'
    | 'grants'
    | 'colours'
  >,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const { focus, main } = deck.screen.getState();
  const text =
    focus !== 'main'
      ? clipboardText(namesToCopy(deck, focus, form))
      : main.kind === 'history'
        ? clipboardText(historyLines(deck.history.entries.getState()))
        : detailToCopy(deck, form);
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

/** The value in the row under the cursor of Details, or the whole field it belongs to. */
function detailToCopy(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'opened' | 'files' | 'grants' | 'colours'>,
  form: CopyForm,
): string {
  const row = detailUnderCursor(deck);
  return clipboardLines((form === 'whole' ? row?.whole : undefined) ?? row?.value ?? '');
}

/** The names that a copy of the pane has, as they came from the service. */
function namesToCopy(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'files' | 'grants'>,
  pane: ListPane,
  form: CopyForm,
): readonly string[] {
  const ids = listIds(deck, pane);
  const id = ids[cursorIndex(ids, deck.screen.getState().cursors[pane])];
  switch (pane) {
    case 'deployments':
      return deploymentsToCopy(deck, ids, id).map((one) =>
        form === 'short' ? deploymentName(deck, one) : one,
      );
    case 'files':
      return filesToCopy(deck, id, form);
    case 'grants':
      return id === undefined ? [] : [grantAddress(deck, id)];
  }
}

/** What is marked in the order of the rows, else what is under the cursor. */
function deploymentsToCopy(
  deck: Pick<Deck, 'screen'>,
  ids: readonly string[],
  underCursor: string | undefined,
): readonly string[] {
  const { deploymentMarks } = deck.screen.getState();
  if (deploymentMarks.size > 0) return ids.filter((id) => deploymentMarks.has(id));
  return underCursor === undefined ? [] : [underCursor];
}

/** The name of a deployment; the whole id where it has none: a part of it would find nothing. */
function deploymentName(deck: Pick<Deck, 'deployments'>, id: string): string {
  const { rows } = deck.deployments.list.state.getState();
  const deployment: Deployment | undefined = rows.find(({ value }) => value.id === id)?.value;
  const name = deployment?.name ?? '';
  return name.trim() === '' ? id : name;
}

function filesToCopy(
  deck: Pick<Deck, 'screen' | 'deployments' | 'files'>,
  underCursor: string | undefined,
  form: CopyForm,
): readonly string[] {
  const { rows } = deck.files.list.state.getState();
  const { place } = deck.files.state.getState();
  const { marks } = deck.screen.getState();
  const wanted = marks.size > 0 ? [...marks].sort() : [underCursor ?? ''];
  // Each by itself: a folder and what is in it may both be marked.
  const paths = wanted.flatMap((path) => chosenPaths(rows, new Set([path]), undefined));
  if (form === 'short' || place === undefined) return paths;
  const start = `${deploymentName(deck, place.deploymentId)}/${place.service}`;
  return paths.map((path) => `${start}/${path}`);
}

/** The address of the other side; of a grant between others, of who may spend. */
function grantAddress(deck: Pick<Deck, 'grants'>, id: string): string {
  const { rows } = deck.grants.list.state.getState();
  const grant = rows.find(({ value }) => value.id === id)?.value;
  if (grant === undefined) return '';
  const caller = deck.grants.wallet();
  return grantDirection(grant, caller) === 'received' ? grant.grantor : grant.grantee;
}
