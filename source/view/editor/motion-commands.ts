/** The editor's commands that move the cursor, select or type. */
import type { EditorCommand, EditorMotion } from '../../editor/editor-command.ts';
import type { Action } from '../command/action.ts';
import type { Command } from '../command/command.ts';

const contexts = ['edit'] as const;

/** Returns a command function that runs an editor command on the text. */
export function runInText(name: EditorCommand): (action: Action) => void {
  return ({ deck }) => void deck.editor.act((text) => text.run(name));
}

const motions: readonly (readonly [
  motion: EditorMotion,
  keys: readonly string[],
  help: string,
  title?: string,
])[] = [
  ['left', ['left'], 'left'],
  ['right', ['right'], 'right'],
  ['up', ['up'], 'up'],
  ['down', ['down'], 'down'],
  ['word-left', ['ctrl+left'], 'word left'],
  ['word-right', ['ctrl+right'], 'word right'],
  ['line-start', ['home', 'ctrl+a'], 'line start'],
  ['line-end', ['end', 'ctrl+e'], 'line end'],
  ['page-up', ['pageup'], 'page up'],
  ['page-down', ['pagedown'], 'page down'],
  ['document-start', ['ctrl+home'], 'first line'],
  ['document-end', ['ctrl+end'], 'last line'],
  ['matching-bracket', ['alt+m'], 'matching bracket', 'matching bracket'],
];

/** Returns the key with Shift; `^A` and Alt with a letter have none in terminals. */
function withShift(key: string): readonly string[] {
  if (/^(?:ctrl|alt)\+.$/.test(key)) return [];
  return [key.startsWith('ctrl+') ? `ctrl+shift+${key.slice(5)}` : `shift+${key}`];
}

const motionCommands = motions.map(
  ([motion, keys, help, title]): Command => ({
    id: `editor.${motion}`,
    keys,
    contexts,
    group: 'move',
    help,
    ...(title === undefined ? {} : { title }),
    run: runInText(motion),
  }),
);

const selectionCommands = motions.flatMap(([motion, keys]): readonly Command[] => {
  const shifted = keys.flatMap(withShift);
  if (shifted.length === 0) return [];
  const name = `select-${motion}` as const;
  return [
    {
      id: `editor.${name}`,
      keys: shifted,
      contexts,
      group: 'move',
      help: 'select',
      isUnlisted: true,
      run: runInText(name),
    },
  ];
});

export const typingCommands: readonly Command[] = [
  ...motionCommands,
  ...selectionCommands,
  {
    id: 'editor.newline',
    keys: ['enter'],
    contexts,
    group: 'type',
    help: 'new line',
    run: runInText('newline'),
  },
  {
    id: 'editor.backspace',
    keys: ['backspace', 'shift+backspace'],
    contexts,
    group: 'type',
    help: 'delete',
    isUnlisted: true,
    run: runInText('backspace'),
  },
  {
    id: 'editor.delete',
    keys: ['delete'],
    contexts,
    group: 'type',
    help: 'delete',
    isUnlisted: true,
    run: runInText('delete'),
  },
];
