import type { EditorCommand, EditorMotion } from '../../editor/editor-command.ts';
import type { KeyBinding } from '../command/command.ts';

/** Everything a key can ask for in the editor, beside what it types. */
export type EditAction =
  | EditorCommand
  | 'save'
  | 'leave'
  | 'escape'
  | 'find'
  | 'find-next'
  | 'find-previous'
  | 'go-to-line'
  | 'next-problem'
  | 'soft-wrap'
  | 'external-editor'
  | 'copy-or-say'
  | 'restart'
  | 'tail'
  | 'redraw'
  | 'palette'
  | 'help';

type EditBinding = KeyBinding<EditAction>;

const motionKeys: readonly (readonly [EditorMotion, readonly string[], string])[] = [
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
  ['matching-bracket', ['alt+m'], 'matching bracket'],
];

/** The key with Shift held, as terminals name it; `^A` and letters have no such key. */
function withShift(key: string): readonly string[] {
  if (/^(?:ctrl|alt)\+.$/.test(key)) return [];
  return [key.startsWith('ctrl+') ? `ctrl+shift+${key.slice(5)}` : `shift+${key}`];
}

const motions: readonly EditBinding[] = motionKeys.map(([command, keys, help]) => ({
  command,
  keys,
  help,
}));

const selections: readonly EditBinding[] = motionKeys.flatMap(([motion, keys]) => {
  const shifted = keys.flatMap(withShift);
  return shifted.length === 0
    ? []
    : [{ command: `select-${motion}` as const, keys: shifted, help: 'select', unlisted: true }];
});

/**
 * The table of the editor's keys; all others type (screens, "EDIT"). `^D ^U ^P ^N` mean something
 * in the panes and nothing here, so that neither hand is surprised by the other's habit.
 */
export const editBindings: readonly EditBinding[] = [
  { command: 'save', keys: ['ctrl+s'], label: 'save', help: 'save' },
  { command: 'leave', keys: ['ctrl+q'], label: 'leave', help: 'leave, keep draft' },
  { command: 'find', keys: ['ctrl+f'], label: 'find', help: 'find, replace' },
  { command: 'undo', keys: ['ctrl+z'], label: 'undo', help: 'undo' },
  { command: 'redo', keys: ['ctrl+y'], help: 'redo' },
  {
    command: 'restart',
    keys: ['ctrl+r'],
    label: 'restart',
    help: 'restart; asks',
    subject: 'deployment',
  },
  { command: 'tail', keys: ['ctrl+t'], label: 'tail', help: 'the log, and back' },
  { command: 'external-editor', keys: ['ctrl+o'], label: '$EDITOR', help: '$EDITOR' },
  { command: 'find-next', keys: ['f3'], help: 'next match' },
  { command: 'find-previous', keys: ['shift+f3'], help: 'previous match' },
  { command: 'go-to-line', keys: ['ctrl+g'], help: 'go to a line' },
  { command: 'next-problem', keys: ['f8'], help: 'next problem' },
  { command: 'copy-or-say', keys: ['ctrl+c'], help: 'copy selection', title: 'copy' },
  { command: 'cut', keys: ['ctrl+x'], help: 'cut selection' },
  { command: 'paste', keys: ['ctrl+v'], help: 'paste' },
  { command: 'cut-line', keys: ['ctrl+k'], help: 'cut the line' },
  { command: 'delete-word', keys: ['ctrl+w'], help: 'delete word' },
  { command: 'delete-word', keys: ['alt+backspace'], help: 'delete word', unlisted: true },
  { command: 'delete-word-forward', keys: ['ctrl+delete'], help: 'delete word ahead' },
  { command: 'set-mark', keys: ['ctrl+space'], help: 'select from here', title: 'select' },
  { command: 'select-all', keys: ['alt+a'], help: 'select all' },
  { command: 'move-line-up', keys: ['alt+up'], help: 'move the line up' },
  { command: 'move-line-down', keys: ['alt+down'], help: 'move the line down' },
  { command: 'comment', keys: ['ctrl+_'], help: 'comment' },
  { command: 'tab', keys: ['tab'], help: 'indent' },
  { command: 'outdent', keys: ['shift+tab'], help: 'outdent' },
  { command: 'soft-wrap', keys: ['alt+w'], help: 'wrap long lines' },
  ...motions,
  ...selections,
  { command: 'newline', keys: ['enter'], help: 'new line' },
  { command: 'backspace', keys: ['backspace', 'shift+backspace'], help: 'delete', unlisted: true },
  { command: 'delete', keys: ['delete'], help: 'delete', unlisted: true },
  { command: 'palette', keys: ['f2'], help: 'do by name' },
  { command: 'redraw', keys: ['ctrl+l'], help: 'redraw the screen' },
  { command: 'escape', keys: ['escape'], help: 'unselect, leave' },
  { command: 'help', keys: ['f1'], label: 'help', help: 'these keys' },
];

/** The same over the definition of a new deployment: what `^S` does there is something else. */
export const definitionBindings: readonly EditBinding[] = editBindings.map((binding) => {
  const { command } = binding;
  if (command === 'save') return { ...binding, label: 'create', help: 'create; asks' };
  if (command === 'next-problem') return { ...binding, label: 'problem' };
  // It would be of the deployment that is open, which the text is not about.
  return command === 'restart' ? { ...binding, label: undefined } : binding;
});

const actions = new Map(
  editBindings.flatMap(({ command, keys }) => keys.map((key) => [key, command] as const)),
);

export function editActionFor(key: string): EditAction | undefined {
  return actions.get(key);
}
