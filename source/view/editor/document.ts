import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { type LocalPlace, nameIn, placeKey } from '../../store/drafts/places.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import { confirmBox, type Confirmation } from '../../store/prompts/confirm.ts';
import { messageLife, staysUntilEscape } from '../../store/deck/screen/message.ts';
import { cellWidth } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { CreationHandles } from './create-deployment.ts';
import { conflictQuestion, recreateQuestion } from './conflict.ts';
import { compareConflict } from './diff-steps.ts';
import { draftSentence } from './draft-sentence.ts';
import { confirmTakeOver } from './locked-document.ts';
import type { EditorDefinition } from '../../store/editor/definition.ts';
import type { EditorFile } from '../../store/editor/file.ts';
import type { EditorOpened } from '../../store/editor/opened-document.ts';
import { earlyPart } from '../../system/lazy-part.ts';

const creation = earlyPart(() => import('./create-deployment.ts'));

/** Draws and measures the editor's text; like all text, it goes through the sanitiser. */
export const look = { show: (cluster: string) => sanitize(cluster), measure: cellWidth };

type OpeningHandles = Pick<
  Deck,
  'clock' | 'screen' | 'messages' | 'deployments' | 'files' | 'restarts' | 'editor'
>;

/** Opens a file in the editor, with its draft if it has one. Resolves with true when it is open. */
export async function editFile(deck: OpeningHandles, place: LocalPlace): Promise<boolean> {
  const file = await openInEditor(deck, place, (onPreview, takeOver) =>
    deck.editor.open(place, look, onPreview, takeOver),
  );
  return file !== undefined;
}

/**
 * Opens an empty file that the first save creates, or its draft. Resolves with the file; undefined
 * after a message when it did not open.
 */
export async function editNewFile(
  deck: OpeningHandles,
  place: LocalPlace,
): Promise<EditorFile | undefined> {
  const file = await openInEditor(deck, place, (_, takeOver) =>
    deck.editor.openNew(place, look, takeOver),
  );
  if (file !== undefined && file.draftAt === undefined && file.isNew()) {
    deck.messages.say(`New file ${place.path}. ${keyName('editor.save', '^S')} creates it.`);
  }
  return file;
}

async function openInEditor(
  deck: OpeningHandles,
  place: LocalPlace,
  open: (onPreview: () => void, takeOver: boolean) => Promise<EditorOpened>,
  takeOver = false,
): Promise<EditorFile | undefined> {
  const { editor } = deck;
  const showEditor = editorShower(deck);
  const over = deck.messages.begin(`Opening ${nameIn(place.path)}...`);
  const opened = await open(() => void showEditor(), takeOver);
  over();
  if (opened.kind === 'superseded') return undefined;
  if (opened.kind === 'refused') {
    deck.messages.say(opened.sentence, 'bad');
    return undefined;
  }
  if (opened.kind === 'locked') {
    const shouldOpen = await confirmTakeOver(deck, place, opened.pid);
    return shouldOpen ? openInEditor(deck, place, open, true) : undefined;
  }
  if (!showEditor()) {
    editor.close();
    deck.messages.say(`Opening ${nameIn(place.path)} was cancelled.`);
    return undefined;
  }
  if (opened.file.arrived) {
    const label = deck.deployments.label(place.deploymentId);
    deck.messages.say(
      `The service already has your draft. If it is unapplied, ${keyName('restarts.restart', 'r')} restarts ${label}.`,
    );
  }
  if (opened.file.draftAt !== undefined) {
    const { text, tone } = draftSentence(opened.file, opened.file.draftAt, deck.clock.now());
    deck.messages.say(text, tone);
  }
  if (opened.arrived) deck.messages.say(arrivedSentence(deck, place));
  return opened.file;
}

/**
 * Returns a function that shows the editor. It returns false and does nothing when the person has
 * opened another view since.
 */
export function editorShower({ editor, screen }: Pick<Deck, 'screen' | 'editor'>): () => boolean {
  const before = screen.getState();
  return () => {
    const now = screen.getState();
    if (now.main.kind === 'editor') return true;
    if (now.focus !== before.focus || now.main !== before.main || now.overlay !== before.overlay) {
      return false;
    }
    screen.view.openEditor();
    editor.act((text) => text.setWrap(now.wrap));
    return true;
  };
}

/** Reports a save that arrived without an answer, and the key that restarts when none is pending. */
function arrivedSentence(
  deck: Pick<Deck, 'deployments' | 'restarts'>,
  { deploymentId, path }: LocalPlace,
): string {
  const sentence = `The service already has your draft of ${nameIn(path)}.`;
  const isPending = deck.restarts.state.getState().has(deploymentId);
  return isPending
    ? sentence
    : `${sentence} ${keyName('restarts.restart', 'r')} restarts ${deck.deployments.label(deploymentId)} to apply it.`;
}

/**
 * Saves the document (`^S`). Asks first when the file changed on the service since it was opened, and
 * before a definition creates a new deployment.
 */
export async function saveDocument(deck: CreationHandles): Promise<void> {
  const { document } = deck.editor.state.getState();
  if (document?.kind === 'definition') {
    const { askToCreate } = await creation();
    return askToCreate(deck, document);
  }
  await deck.editor.save();
  askAboutSave(deck);
}

/** Opens the box that a save waits for, unless the person has left the editor. */
function askAboutSave(deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'editor'>): void {
  const { editor, screen } = deck;
  const { file } = editor.state.getState();
  const { main, focus, overlay } = screen.getState();
  if (file === undefined || main.kind !== 'editor' || focus !== 'main' || overlay !== undefined) {
    return;
  }
  const { phase } = file.saving.state.getState();
  if (phase.kind === 'left') {
    // Their version is not text, so nothing is left to edit.
    screen.view.close('editor');
    return editor.close();
  }
  const subject = { label: deck.deployments.label(file.place.deploymentId), file };
  const answer = async (choice: Parameters<typeof editor.choose>[0]) => {
    await editor.choose(choice);
    if (file.saving.state.getState().phase.kind === 'left') closeFile(deck, file);
    else askAboutSave(deck);
  };
  const question: Confirmation | undefined =
    phase.kind === 'conflict'
      ? conflictQuestion(phase, subject, (choice) => {
          if (choice === 'compare') void compareConflict(deck, file, phase.theirs);
          else void answer(choice);
        })
      : phase.kind === 'offered'
        ? recreateQuestion(subject, (choice) => void answer(choice))
        : undefined;
  if (question !== undefined) screen.overlay.open(confirmBox(question));
}

/** Closes the editor of a file whose version on the service is not text. The draft stays. */
function closeFile({ editor, screen }: Pick<Deck, 'screen' | 'editor'>, file: EditorFile): void {
  if (editor.state.getState().file !== file) return;
  screen.view.close('editor');
  editor.close();
}

/** Closes the editor and shows the view that opened it. Unsaved text stays as a draft. */
export function leaveEditor(deck: Pick<Deck, 'screen' | 'messages' | 'drafts' | 'editor'>): void {
  const { editor, screen } = deck;
  const { document, unsaved } = editor.state.getState();
  screen.view.close('editor');
  editor.close();
  if (document === undefined) return;
  if (!unsaved) return reportNothingKept(deck, document);
  const status = unsavedText(document);
  const failure = deck.drafts.state.getState().failures.get(placeKey(document.place));
  if (failure !== undefined) {
    return deck.messages.say(`${status}. ${failure} The text is lost when hostdeck exits.`, 'bad');
  }
  if (document.kind === 'definition') {
    return deck.messages.say(
      `${status}. Draft kept; ${keyName('deployments.create', 'a')} opens it.`,
    );
  }
  deck.messages.say(`${status}. Draft kept; ${keyName('files.edit', 'e')} opens it.`);
}

/**
 * Reports a document that was left without typed text: a new file that was not created, or a definition
 * edited back to its template, which is no longer kept as a draft.
 */
function reportNothingKept(
  deck: Pick<Deck, 'messages'>,
  document: EditorFile | EditorDefinition,
): void {
  if (document.kind === 'file') {
    if (document.isNew()) deck.messages.say(`${document.place.path} was not created.`);
    return;
  }
  if (document.draftAt === undefined) return;
  if (document.isAsBegun())
    deck.messages.say('Draft discarded: its text was back to the template.');
}

function unsavedText(document: EditorFile | EditorDefinition): string {
  if (document.kind === 'file') {
    const { path } = document.place;
    const isUnsettled = document.saving.state.getState().unsettled !== undefined;
    if (isUnsettled) return `${nameIn(path)} may not have been saved`;
    return document.isNew() ? `${path} is not created` : `${nameIn(path)} is not saved`;
  }
  if (document.busy() !== undefined) return 'The new deployment is still being sent';
  return document.sentAt() === undefined
    ? 'The new deployment is not created'
    : 'The new deployment may have been created';
}

/**
 * Clears the selection or the search, else leaves the editor (Esc). Unsaved text needs a second
 * Esc: a split Alt key sends an Esc, and the keys after it must not run commands.
 */
export function escapeEditor(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'drafts' | 'editor'>,
): void {
  const { editor, screen, clock } = deck;
  const { message, leaveAsked } = screen.getState();
  if (staysUntilEscape(message)) return screen.message.clear();
  if (editor.act((text) => text.run('clear-selection')) === true) return;
  if (editor.act((text) => text.findState !== undefined) === true) {
    editor.act((text) => text.clearFind());
    return;
  }
  const now = clock.now();
  const isRepeated = leaveAsked?.text === leaveWarning && now - leaveAsked.at < messageLife;
  if (!editor.state.getState().unsaved || isRepeated) {
    screen.message.withdrawLeave();
    return leaveEditor(deck);
  }
  deck.messages.say(leaveWarning);
  screen.message.askToLeave(leaveWarning, now);
}

/** Shown by the first Esc over unsaved text; any other key withdraws it. */
const leaveWarning = 'Not saved. Esc again leaves; draft kept.';

/** Prompts for a line number and moves the cursor there. */
export function promptForLine(deck: Pick<Deck, 'screen' | 'messages' | 'editor'>): void {
  const submit = (text: string) => {
    const line = Number(text);
    if (!/^\d+$/.test(text.trim())) return deck.messages.say('Enter a line number.');
    deck.editor.act((editor) => editor.goToLine(line));
  };
  deck.screen.overlay.open(prompting({ label: 'Line: ', submit }));
}

/** Moves the cursor to the next problem. */
export function goToNextProblem(deck: Pick<Deck, 'screen' | 'messages' | 'editor'>): void {
  const { document } = deck.editor.state.getState();
  if (document === undefined) return;
  if (deck.editor.act(() => document.nextProblem()) !== undefined) {
    // The row shows the problem where no message hides it.
    return deck.screen.message.clearIf((message) => !staysUntilEscape(message));
  }
  deck.messages.say(
    document.text.isHighlighted ? 'No problems found.' : "This text can't be checked.",
  );
}
