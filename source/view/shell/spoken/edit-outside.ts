/**
 * Edits texts in the editor of `$EDITOR`, where nobody sees the console's own: each text that opens is
 * handed over, and a question asks what becomes of the changed one.
 */
import type { Deck } from '../../../store/deck/deck.ts';
import { fileNameOf } from '../../../store/drafts/places.ts';
import type { EditorState } from '../../../store/editor/editor-state.ts';
import { confirmBox, type Confirmation, type Option } from '../../../store/prompts/confirm.ts';
import type { Terminal } from '../../command/action.ts';
import { confirmDiscardHere } from '../../editor/discard-draft.ts';
import { openDifference } from '../../editor/diff-steps.ts';
import { leaveEditor, saveDocument } from '../../editor/document.ts';

type Document = NonNullable<EditorState['document']>;

/** Follows the editor of a deck. Returns the function that stops it. */
export function editOutside(deck: Deck, terminal: Pick<Terminal, 'hand'>): () => void {
  const { editor, screen } = deck;
  /** The document that was handed over. */
  let handed: Document | undefined;
  /** True while the external editor runs, or an answer is carried out. */
  let isBusy = false;
  let cancel: (() => void) | undefined;
  let stopSaving = (): void => {};

  const schedule = (): void => {
    cancel ??= deck.clock.after(0, () => {
      cancel = undefined;
      step();
    });
  };

  function step(): void {
    const { document, opening, unsaved } = editor.state.getState();
    const { main, focus, overlay } = screen.getState();
    if (document === undefined) handed = undefined;
    const isShown = main.kind === 'editor' && focus === 'main' && overlay === undefined;
    if (!isShown || isBusy || opening !== undefined || document === undefined) return;
    if (document !== handed) return run(() => hand(document));
    if (isWorking(document)) return;
    if (!unsaved && document.kind === 'file') return leaveEditor(deck);
    ask(document);
  }

  function run(action: () => Promise<unknown>): void {
    isBusy = true;
    void action().finally(() => {
      isBusy = false;
      schedule();
    });
  }

  async function hand(document: Document): Promise<void> {
    handed = document;
    const name = fileNameOf(document.place);
    const result = await terminal.hand(document.text.text(), name);
    if (result === undefined || editor.state.getState().document !== document) return;
    stopSaving();
    stopSaving = document.kind === 'file' ? document.saving.state.subscribe(schedule) : () => {};
    if (result.kind === 'failed') deck.messages.say(result.sentence, 'bad');
    if (result.kind === 'changed') editor.act((text) => text.replaceText(result.text));
    if (result.kind === 'unchanged') deck.messages.say(`${name} was not changed.`);
    // An untouched template may be created as it is.
    const isOver = result.kind === 'failed' || document.kind === 'file';
    const { unsaved } = editor.state.getState();
    if (result.kind !== 'changed' && isOver && !unsaved) leaveEditor(deck);
  }

  function ask(document: Document): void {
    const isFile = document.kind === 'file';
    const name = fileNameOf(document.place);
    const actions: readonly (readonly [Option, () => void])[] = [
      [{ label: 'Keep draft', meaning: 'nothing is sent' }, () => leaveEditor(deck)],
      [
        { label: isFile ? 'Save' : 'Create...', meaning: isFile ? 'sends the file' : 'asks first' },
        () => run(() => saveDocument(deck)),
      ],
      [{ label: 'Edit again' }, () => run(() => hand(document))],
      ...(document.kind === 'file' && !document.isNew()
        ? [[{ label: 'Compare' }, () => run(() => openDifference(deck, document.place))] as const]
        : []),
      [{ label: 'Discard...' }, () => run(() => confirmDiscardHere(deck))],
    ];
    const [first, ...others] = actions.map(([option]) => option);
    if (first === undefined) return;
    const question: Confirmation = {
      title: `${name} is not ${isFile ? 'saved' : 'created'}`,
      lines: document
        .problems()
        .slice(0, mostProblems)
        .map(({ line, sentence }) => `Line ${line}: ${sentence}`),
      options: [first, ...others],
      escape: 'keep draft',
      answer: (option) => actions[option]?.[1](),
    };
    screen.overlay.open(confirmBox(question));
  }

  const stops = [screen.subscribe(schedule), editor.state.subscribe(schedule)];
  return () => {
    for (const stop of stops) stop();
    stopSaving();
    cancel?.();
  };
}

/** Most problems of a text that the question names. */
const mostProblems = 5;

/** Returns whether a save or a creation is under way; its answer decides what comes next. */
function isWorking(document: Document): boolean {
  if (document.busy() !== undefined) return true;
  if (document.kind !== 'file') return false;
  return ['checking', 'sending', 'keeping'].includes(document.saving.state.getState().phase.kind);
}
