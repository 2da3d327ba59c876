import type { EditorCommand } from '../../editor/editor-command.ts';
import type { Console } from '../../store/deck/deck.ts';
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
import type { Verdict } from '../command/key-result.ts';

/** A key in the editor: what it asks for, else what it types. */
export function editKey(input: KeyEvent, whole: Action): Verdict {
  const { console } = whole;
  const { editor } = console;
  const action = input.name === 'paste' ? undefined : editActionFor(input.name);
  if (action !== 'escape') takeQuestionBack(console);
  if (action !== undefined) {
    perform(action, whole);
    return action === 'palette' ? 'hold' : 'consumed';
  }
  const { text } = input;
  if (text === undefined) return 'consumed';
  editor.act((edited) => (input.name === 'paste' ? edited.paste(text) : edited.insert(text)));
  return 'consumed';
}

function takeQuestionBack({ screen }: Console): void {
  const { message, quitAskedAt } = screen.getState();
  if (quitAskedAt === undefined) return;
  const isAsked = message?.text === leaveQuestion;
  screen.setState({ quitAskedAt: undefined, ...(isAsked ? { message: undefined } : {}) });
}

/** What is asked of the program around the text. */
const actions: Readonly<Record<Exclude<EditAction, EditorCommand>, (action: Action) => void>> = {
  save: ({ console }) => void saveDocument(console),
  leave: ({ console }) => leaveEditor(console),
  escape: ({ console }) => escapeEditor(console),
  find: ({ console }) => askFind(console),
  'find-next': ({ console }) => findAgain(console, true),
  'find-previous': ({ console }) => findAgain(console, false),
  'go-to-line': ({ console }) => askLine(console),
  'next-problem': ({ console }) => toNextProblem(console),
  'soft-wrap': ({ console }) => {
    const wrap = console.editor.act((text) => !text.wraps) ?? false;
    console.editor.act((text) => text.setWrap(wrap));
    console.screen.setState({ wrap });
  },
  'copy-or-say': ({ console }) => {
    const copied = console.editor.act((text) => text.run('copy')) === true;
    console.say(copied ? 'Copied; ^V pastes.' : 'Nothing is selected. ^Q leaves the editor.');
  },
  'external-editor': ({ console, terminal }) => void handOut(console, terminal),
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
  else action.console.editor.act((text) => text.run(name));
}

function isOfProgram(name: EditAction): name is keyof typeof actions {
  return name in actions;
}
