import type { Deck } from '../../store/deck/deck.ts';
import type { Difference, DifferenceOpened } from '../../store/editor/difference.ts';
import type { EditedDocument, EditorFile } from '../../store/editor/editor.ts';
import { fileNameOf, isNewDeployment, type LocalPlace, nameIn } from '../../store/drafts/places.ts';
import type { RemoteFile } from '../../store/editor/save-state.ts';
import { matchingRow, stepChange } from './change-steps.ts';
import { sideBySideFrom } from './diff-lines.ts';
import type { PaneViewport } from '../command/action.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'editor'>;

/** `D`: what was typed and is not saved, against the file as the service has it now. */
export function openDifference(deck: Handles, place: LocalPlace): Promise<void> {
  deck.messages.say(`Comparing ${nameIn(place.path)}...`);
  return showNext(deck, deck.editor.difference.ofDraft(place));
}

/** Theirs against mine, from the box of a conflict. Nothing is sent, and the conflict stays. */
export async function showBoth(
  deck: Handles,
  { place, text }: EditorFile,
  theirs: RemoteFile,
): Promise<void> {
  const { text: beforeText } = theirs;
  if (beforeText === undefined)
    return deck.messages.say('Theirs is no text. It cannot be compared.');
  const [before, after] = ['theirs, on the service', 'yours, in the editor'];
  const sides = { place, before, after, beforeText, afterText: text.text() };
  await showNext(deck, deck.editor.difference.ofTexts(sides));
}

/** What another program made of the text in the editor. */
export async function showHandedBack(
  deck: Handles,
  { place, text }: EditedDocument,
  beforeText: string,
): Promise<void> {
  const [before, after] = ['as it was handed out', 'as it came back'];
  const sides = { place, before, after, beforeText, afterText: text.text() };
  await showNext(deck, deck.editor.difference.ofTexts(sides));
}

/** Compares anew what is shown. */
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

async function showNext(deck: Handles, opening: Promise<DifferenceOpened>): Promise<void> {
  const { screen } = deck;
  const before = screen.getState();
  const opened = await opening;
  const difference = differenceOf(deck, opened);
  if (difference === undefined) return;
  // Meanwhile the person went elsewhere: nothing is put in front of them.
  const now = screen.getState();
  if (now.focus !== before.focus || now.main !== before.main || now.overlay !== before.overlay) {
    const name = fileNameOf(difference.place);
    return deck.messages.say(`${name} is not compared: something else was done meanwhile.`);
  }
  deck.editor.difference.show(difference);
  screen.view.openDiff();
}

/** What there is to show; else it is said why there is nothing. */
function differenceOf(
  deck: Pick<Deck, 'messages'>,
  opened: DifferenceOpened,
): Difference | undefined {
  if (opened.kind === 'none') deck.messages.say(opened.sentence, opened.failed ? 'bad' : 'plain');
  return opened.kind === 'shown' ? opened.difference : undefined;
}

const noneAfter = 'No change after this one.';
const noneBefore = 'No change before this one.';

/** `n` and `N`: the next change, or the one before. */
export function stepToChange(deck: Handles, direction: 1 | -1, viewport: PaneViewport): void {
  const { editor, screen } = deck;
  const { difference } = editor;
  const { change } = difference.state.getState();
  const { top } = screen.getState().scroll;
  const { changes = [], rows: seen, lines: rows } = viewport;
  const next = stepChange({ changes, change, top, seen, rows }, direction);
  if (next === undefined) return deck.messages.say(direction === 1 ? noneAfter : noneBefore);
  difference.goToChange(next.change);
  screen.view.scrollTo({ top: next.top });
  screen.message.clearIf(({ text }) => text === noneAfter || text === noneBefore);
}

/** Before the first drawing in so many columns: another layout begins with the same lines. */
export function keepPlace(
  { editor, screen }: Pick<Deck, 'screen' | 'editor'>,
  width: number,
): void {
  const { difference } = editor;
  const { shown, beside: before } = difference.state.getState();
  const beside = width >= sideBySideFrom;
  if (shown === undefined || before === beside) return;
  difference.laid(beside);
  if (before === undefined) return;
  const { comparison } = shown;
  const layouts = [comparison.unified().changes, comparison.sideBySide().changes] as const;
  const [from, to] = beside ? layouts : layouts.toReversed();
  const { top } = screen.getState().scroll;
  screen.view.scrollTo({ top: matchingRow(from ?? [], to ?? [], top) });
}
