import type { Deck } from '../../store/deck/deck.ts';
import type { Difference, DifferenceOpened } from '../../store/editor/difference.ts';
import { fileNameOf, isNewDeployment, type LocalPlace, nameIn } from '../../store/drafts/places.ts';
import type { RemoteFile } from '../../store/editor/save-state.ts';
import { rowInOtherLayout, stepChange } from './change-steps.ts';
import { sideBySideMinWidth } from './diff-lines.ts';
import type { PaneViewport } from '../command/action.ts';
import type { EditedDocument } from '../../store/editor/edited-text.ts';
import type { EditorFile } from '../../store/editor/file.ts';

/** Handles used by most functions of this module. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'editor'>;

/** Shows the difference between the draft and the file on the service (`D`). */
export function openDifference(deck: Handles, place: LocalPlace): Promise<void> {
  const over = deck.messages.begin(`Comparing ${nameIn(place.path)}...`);
  return showWhenReady(deck, deck.editor.difference.ofDraft(place).finally(over));
}

/** Shows the difference between the text in the editor and the file on the service (`F7`). */
export function compareHere(deck: Handles): void {
  const { document } = deck.editor.state.getState();
  if (document?.kind === 'file') void openDifference(deck, document.place);
  else deck.messages.say('A new deployment has no version on the service.');
}

/** Compares both texts of a conflict. Nothing is sent and the conflict stays open. */
export async function compareConflict(
  deck: Handles,
  { place, text }: EditorFile,
  theirs: RemoteFile,
): Promise<void> {
  const { text: beforeText } = theirs;
  if (beforeText === undefined)
    return deck.messages.say("Their version is not text and can't be compared.");
  const [before, after] = ['theirs, on the service', 'yours, in the editor'];
  const sides = { place, before, after, beforeText, afterText: text.text() };
  await showWhenReady(deck, deck.editor.difference.ofTexts(sides));
}

/** Shows the changes that the external editor made to the text. */
export async function compareExternalEdit(
  deck: Handles,
  { place, text }: EditedDocument,
  beforeText: string,
): Promise<void> {
  const [before, after] = ['before $EDITOR', 'after $EDITOR'];
  const sides = { place, before, after, beforeText, afterText: text.text() };
  await showWhenReady(deck, deck.editor.difference.ofTexts(sides));
}

/** Compares the shown draft again with the current file on the service. */
export async function renewDifference(deck: Handles): Promise<void> {
  const { shown } = deck.editor.difference.state.getState();
  if (shown === undefined || isNewDeployment(shown.place)) return;
  const opened = await deck.editor.difference.ofDraft(shown.place);
  if (deck.screen.getState().main.kind !== 'diff') return;
  const difference = differenceOf(deck, opened);
  if (difference === undefined) return;
  deck.editor.difference.show(difference);
  deck.screen.view.scrollTo({ top: 0, left: 0 });
}

async function showWhenReady(deck: Handles, opening: Promise<DifferenceOpened>): Promise<void> {
  const { screen } = deck;
  const before = screen.getState();
  const opened = await opening;
  const difference = differenceOf(deck, opened);
  if (difference === undefined) return;
  // Do not cover the view that the person opened meanwhile.
  const now = screen.getState();
  if (now.focus !== before.focus || now.main !== before.main || now.overlay !== before.overlay) {
    const name = fileNameOf(difference.place);
    return deck.messages.say(`Comparing ${name} was cancelled.`);
  }
  deck.editor.difference.show(difference);
  screen.view.openDiff();
}

/** Returns the difference, or undefined after a message that explains why there is none. */
function differenceOf(
  deck: Pick<Deck, 'messages'>,
  opened: DifferenceOpened,
): Difference | undefined {
  if (opened.kind === 'none') deck.messages.say(opened.sentence, opened.failed ? 'bad' : 'plain');
  return opened.kind === 'shown' ? opened.difference : undefined;
}

const noNextChange = 'This is the last change.';
const noPreviousChange = 'This is the first change.';

/** Scrolls to the next (`n`) or previous (`N`) change. */
export function goToChange(deck: Handles, direction: 1 | -1, viewport: PaneViewport): void {
  const { editor, screen } = deck;
  const { difference } = editor;
  const { change, row } = difference.state.getState();
  const { top } = screen.getState().scroll;
  const { changes = [], rows: height, lines: rowCount } = viewport;
  const next = stepChange({ changes, change, row, top, height, rowCount }, direction);
  if (next === undefined)
    return deck.messages.say(direction === 1 ? noNextChange : noPreviousChange);
  difference.goToChange(next.change);
  screen.view.scrollTo({ top: next.top });
  screen.message.clearIf(({ text }) => text === noNextChange || text === noPreviousChange);
}

/** Marks a row of the difference that is laid out now; steps to changes and matches start from it. */
export function chooseDiffRow(
  { editor, textSearch }: Pick<Deck, 'editor' | 'textSearch'>,
  row: number,
): void {
  const { shown, beside } = editor.difference.state.getState();
  if (shown === undefined) return;
  const { comparison } = shown;
  const { changes } = beside === true ? comparison.sideBySide() : comparison.unified();
  const above = changes.findLastIndex((start) => start <= row);
  editor.difference.chooseRow(row, Math.max(0, above));
  textSearch.choose(row);
}

/** Keeps the same lines at the top when a new width changes the layout. Called before drawing. */
export function preserveScrollPosition(
  { editor, screen }: Pick<Deck, 'screen' | 'editor'>,
  width: number,
): void {
  const { difference } = editor;
  const { shown, beside: wasSideBySide } = difference.state.getState();
  const isSideBySide = width >= sideBySideMinWidth;
  if (shown === undefined || wasSideBySide === isSideBySide) return;
  difference.laid(isSideBySide);
  if (wasSideBySide === undefined) return;
  const { comparison } = shown;
  const layouts = [comparison.unified().changes, comparison.sideBySide().changes] as const;
  const [from, to] = isSideBySide ? layouts : layouts.toReversed();
  const { top } = screen.getState().scroll;
  screen.view.scrollTo({ top: rowInOtherLayout(from ?? [], to ?? [], top) });
}
