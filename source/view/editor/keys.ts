import type { EditorCommand } from '../../editor/editor-command.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { KeyEvent } from '../../terminal/keys/keys.ts';
import type { Action } from '../command/action.ts';
import { commands } from '../shell/commands.ts';
import {
  askLine,
  toNextProblem,
  escapeEditor,
  leaveEditor,
  leaveQuestion,
  saveDocument,
} from './commands.ts';
import { type EditAction, editActionFor } from './keymap.ts';
import { handOut } from './external-editor.ts';
import { askFind, findAgain } from './find-commands.ts';
import { openPalette } from '../shell/palette/open-palette.ts';
import type { KeyResult } from '../command/key-result.ts';

/** A key in the editor: what it asks for, else what it types. */
export function editKey(input: KeyEvent, whole: Action): KeyResult {
  const { deck } = whole;
  const { editor } = deck;
  const action = input.name === 'paste' ? undefined : editActionFor(input.name);
  if (action !== 'escape') takeQuestionBack(deck);
  if (action !== undefined) {
    perform(action, whole);
    return action === 'palette' ? 'hold' : 'consumed';
  }
  const { text } = input;
  if (text === undefined) return 'consumed';
  editor.act((edited) => (input.name === 'paste' ? edited.paste(text) : edited.insert(text)));
  return 'consumed';
}

function takeQuestionBack({ screen }: Pick<Deck, 'screen'>): void {
  if (screen.getState().quitAskedAt !== undefined) screen.message.withdrawQuit(leaveQuestion);
}

/** What is asked of the program around the text. */
const actions: Readonly<Record<Exclude<EditAction, EditorCommand>, (action: Action) => void>> = {
  save: ({ deck }) => void saveDocument(deck),
  leave: ({ deck }) => leaveEditor(deck),
  escape: ({ deck }) => escapeEditor(deck),
  find: ({ deck }) => askFind(deck),
  'find-next': ({ deck }) => findAgain(deck, true),
  'find-previous': ({ deck }) => findAgain(deck, false),
  'go-to-line': ({ deck }) => askLine(deck),
  'next-problem': ({ deck }) => toNextProblem(deck),
  'soft-wrap': ({ deck }) => {
    const wrap = deck.editor.act((text) => !text.wraps) ?? false;
    deck.editor.act((text) => text.setWrap(wrap));
    deck.screen.reading.setWrap(wrap);
  },
  'copy-or-say': ({ deck }) => {
    const copied = deck.editor.act((text) => text.run('copy')) === true;
    deck.messages.say(copied ? 'Copied; ^V pastes.' : 'Nothing is selected. ^Q leaves the editor.');
  },
  'external-editor': ({ deck, terminal }) => void handOut(deck, terminal),
  restart: (action) => commands.restart(action),
  tail: (action) => commands.tail(action),
  redraw: (action) => commands.redraw(action),
  help: (action) => commands.help(action),
  palette: (action) =>
    void openPalette(action, {
      command: (name) => commands[name](action),
      edit: (name) => perform(name, action),
    }),
};

function perform(name: EditAction, action: Action): void {
  if (isOfProgram(name)) actions[name](action);
  else action.deck.editor.act((text) => text.run(name));
}

function isOfProgram(name: EditAction): name is keyof typeof actions {
  return name in actions;
}
