import type { Deck } from '../../store/deck/deck.ts';
import type { EditorDefinition, EditorFile } from '../../store/editor/editor.ts';
import { type LocalPlace, nameIn, placeKey } from '../../store/drafts/places.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import { confirmBox, type Confirmation } from '../../store/prompts/confirm.ts';
import { messageLife, staysUntilEscape } from '../../store/deck/screen/message.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { cellWidth } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { conflictQuestion, createQuestion } from './conflict.ts';
import { showBoth } from './diff-steps.ts';

/** How the editor's text is drawn: like all text, through the sanitiser. */
export const look = { show: (cluster: string) => sanitize(cluster), measure: cellWidth };

/** Opens a file in the editor, with its draft when there is one. */
export async function editFile(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'restarts' | 'editor'>,
  place: LocalPlace,
): Promise<void> {
  const { editor } = deck;
  const show = editorShower(deck);
  deck.messages.say(`Opening ${nameIn(place.path)}...`);
  const opened = await editor.open(place, look, () => void show());
  if (opened.kind === 'superseded') return;
  if (opened.kind === 'refused') return deck.messages.say(opened.sentence, 'bad');
  if (!show()) {
    editor.close();
    return deck.messages.say(
      `${nameIn(place.path)} is not opened: something else was done meanwhile.`,
    );
  }
  if (opened.file.arrived) {
    const label = deck.deployments.label(place.deploymentId);
    deck.messages.say(`Your draft is on the service. It may not be applied: r restarts ${label}.`);
  }
  if (opened.file.draftAt !== undefined) {
    const time = formatTimeOfDay(opened.file.draftAt);
    deck.messages.say(`Your draft of ${time} goes on. ^S sends it, ^Z goes back to the file.`);
  }
  if (opened.arrived) deck.messages.say(arrivedSentence(deck, place));
}

/** Gives what puts the editor in front. False, and nothing done, when the person went elsewhere since. */
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

/** A restart that nobody counts for what was sent is not forgotten: the person is told of it. */
function arrivedSentence(
  deck: Pick<Deck, 'deployments' | 'restarts'>,
  { deploymentId, path }: LocalPlace,
): string {
  const found = `${nameIn(path)} is on the service as your draft had it.`;
  const isPending = deck.restarts.state.getState().has(deploymentId);
  return isPending
    ? found
    : `${found} r restarts ${deck.deployments.label(deploymentId)} to apply it.`;
}

/**
 * `^S`: saves a file, and asks where the service has something else than what was opened. Of the
 * definition of a new deployment it shows what would be created, and asks.
 */
export async function saveDocument(
  deck: Pick<
    Deck,
    | 'profile'
    | 'clock'
    | 'screen'
    | 'messages'
    | 'deployments'
    | 'opened'
    | 'grants'
    | 'editor'
    | 'refresh'
  >,
): Promise<void> {
  const { document } = deck.editor.state.getState();
  if (document?.kind === 'definition') {
    const { askToCreate } = await import('./create-deployment.ts');
    return askToCreate(deck, document);
  }
  await deck.editor.save();
  askAboutSave(deck);
}

/** Puts up the box that a save waits for, unless the person is elsewhere. */
function askAboutSave(deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'editor'>): void {
  const { editor, screen } = deck;
  const { file } = editor.state.getState();
  const { main, focus, overlay } = screen.getState();
  if (file === undefined || main.kind !== 'editor' || focus !== 'main' || overlay !== undefined) {
    return;
  }
  const { phase } = file.saving.state.getState();
  if (phase.kind === 'left') {
    // Theirs is no text: there is nothing to edit any more.
    screen.view.close();
    return editor.close();
  }
  const names = { label: deck.deployments.label(file.place.deploymentId), file };
  const answer = async (choice: Parameters<typeof editor.choose>[0]) => {
    await editor.choose(choice);
    if (file.saving.state.getState().phase.kind === 'left') leaveToThem(deck, file);
    else askAboutSave(deck);
  };
  const question: Confirmation | undefined =
    phase.kind === 'conflict'
      ? conflictQuestion(phase, names, (choice) => {
          if (choice === 'show both') void showBoth(deck, file, phase.theirs);
          else void answer(choice);
        })
      : phase.kind === 'offered'
        ? createQuestion(names, (choice) => void answer(choice))
        : undefined;
  if (question !== undefined) screen.overlay.open(confirmBox(question));
}

/** Theirs is no text, so that there is nothing to edit any more. The draft stays. */
function leaveToThem({ editor, screen }: Pick<Deck, 'screen' | 'editor'>, file: EditorFile): void {
  if (editor.state.getState().file !== file) return;
  screen.view.closeEditor();
  editor.close();
}

/** Back to where the file was opened from. What is unsaved stays as a draft. */
export function leaveEditor(
  deck: Pick<Deck, 'screen' | 'messages' | 'files' | 'drafts' | 'editor'>,
): void {
  const { editor, screen } = deck;
  const { document, unsaved } = editor.state.getState();
  screen.view.close();
  editor.close();
  if (document === undefined) return;
  if (!unsaved) return sayDraftGone(deck, document);
  const what = notSaved(document);
  const failure = deck.drafts.state.getState().failures.get(placeKey(document.place));
  if (failure !== undefined) {
    return deck.messages.say(`${what}. ${failure} It goes when hostdeck ends.`, 'bad');
  }
  if (document.kind === 'definition') {
    return deck.messages.say(`${what}: the draft is kept here, a goes on with it.`);
  }
  const how = isListed(deck, document.place)
    ? 'the draft is kept here, e opens it.'
    : 'it is not on the service. The draft is kept here, the next start offers it.';
  deck.messages.say(`${what}: ${how}`);
}

/** Undone to its beginning, a draft goes without a question: whoever did that by a slip has to know. */
function sayDraftGone(deck: Pick<Deck, 'messages'>, document: EditorFile | EditorDefinition): void {
  if (document.kind !== 'definition' || document.draftAt === undefined) return;
  if (document.isAsBegun()) deck.messages.say('The draft is given up: its text is as it began.');
}

function notSaved(document: EditorFile | EditorDefinition): string {
  if (document.kind === 'file') return `${nameIn(document.place.path)} is not saved`;
  if (document.busy() !== undefined) return 'The new deployment is still being sent';
  return document.sentAt() === undefined
    ? 'The new deployment is not created'
    : 'The new deployment may have been created';
}

/** Whether a row of the file tree can open it again; of other services' files that is not known. */
function isListed(
  { files }: Pick<Deck, 'files'>,
  { deploymentId, service, path }: LocalPlace,
): boolean {
  const { place } = files.state.getState();
  if (place?.deploymentId !== deploymentId || place.service !== service) return true;
  const { loadedAt, rows } = files.list.state.getState();
  return loadedAt === undefined || rows.some(({ value }) => value.path === path);
}

/**
 * Esc takes back the selection, else leaves. Unsaved text wants it twice: half of a split Alt key is
 * an Esc, and must not turn what is typed next into commands (screens, rule 6).
 */
export function escapeEditor(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'files' | 'drafts' | 'editor'>,
): void {
  const { editor, screen, clock } = deck;
  const { message, quitAskedAt } = screen.getState();
  if (staysUntilEscape(message)) return screen.message.clear();
  if (editor.act((text) => text.run('clear-selection')) === true) return;
  if (editor.act((text) => text.findState !== undefined) === true) {
    editor.act((text) => text.clearFind());
    return;
  }
  const now = clock.now();
  const isAsked = quitAskedAt !== undefined && now - quitAskedAt < messageLife;
  if (!editor.state.getState().unsaved || isAsked) {
    screen.message.withdrawQuit();
    return leaveEditor(deck);
  }
  deck.messages.say(leaveQuestion);
  screen.message.askToQuit(now);
}

/** Asked by the first Esc over unsaved text; any other key takes it back. */
export const leaveQuestion = 'Not saved. Esc again leaves; the draft is kept.';

export function askLine(deck: Pick<Deck, 'screen' | 'messages' | 'editor'>): void {
  const submit = (text: string) => {
    const line = Number(text);
    if (!/^\d+$/.test(text.trim())) return deck.messages.say('A line is a number.');
    deck.editor.act((editor) => editor.goToLine(line));
  };
  deck.screen.overlay.open(prompting({ label: 'Line: ', submit }));
}

export function toNextProblem(deck: Pick<Deck, 'messages' | 'editor'>): void {
  const { document } = deck.editor.state.getState();
  if (document === undefined) return;
  if (deck.editor.act(() => document.nextProblem()) !== undefined) return;
  deck.messages.say(
    document.text.isHighlighted ? 'No problem is found in it.' : 'This text is not looked through.',
  );
}
