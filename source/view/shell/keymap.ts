import type { MainView } from '../../store/deck/screen/main-view.ts';
import type { Pane } from '../../store/deck/screen/focus.ts';
import type { KeyBinding, KeyContext } from '../command/command.ts';
import { editBindings } from '../editor/keymap.ts';
import { logBindings, type LogCommand } from '../log/keymap.ts';

/** Everything a key can ask for. */
export type Command =
  | LogCommand
  | 'help'
  | 'palette'
  | 'refetch'
  | 'redraw'
  | 'interrupt'
  | 'restart'
  | 'cancel-restart'
  | 'tail'
  | 'down'
  | 'up'
  | 'first'
  | 'last'
  | 'half-down'
  | 'half-up'
  | 'page-down'
  | 'page-up'
  | 'pane-1'
  | 'pane-2'
  | 'pane-3'
  | 'pane-4'
  | 'next-pane'
  | 'previous-pane'
  | 'filter'
  | 'order'
  | 'reverse-order'
  | 'escape'
  | 'quit'
  | 'fullscreen'
  | 'logs'
  | 'details'
  | 'wider'
  | 'narrower'
  | 'suspend'
  | 'open'
  | 'edit'
  | 'external-editor'
  | 'services'
  | 'unfold'
  | 'fold'
  | 'wrap'
  | 'left'
  | 'right'
  | 'retry-gap'
  | 'difference'
  | 'next-change'
  | 'previous-change'
  | 'mark'
  | 'new-deployment'
  | 'deployment-like-this'
  | 'close-deployments'
  | 'new-file'
  | 'copy-file'
  | 'move-files'
  | 'delete-files'
  | 'put-back'
  | 'grant'
  | 'grant-like'
  | 'revoke'
  | 'upload'
  | 'save-files'
  | 'raw-answer'
  | 'copy-short'
  | 'copy-whole'
  | 'print-copied';

const lists = ['deployments', 'files', 'grants'] as const;
const texts = ['view', 'details'] as const;
const pages = [...texts, 'diff'] as const;
const read = [...pages, 'history'] as const;

/**
 * The table of the panes' keys: it drives the keys, the footer, the help and the list in the README.
 * Order is the footer's: what belongs to the pane first.
 */
export const bindings: readonly KeyBinding<Command>[] = [
  { command: 'open', keys: ['enter'], in: ['deployments'], label: 'logs', help: 'open its log' },
  {
    command: 'new-deployment',
    keys: ['a'],
    in: ['deployments'],
    label: 'create',
    help: 'create; asks',
  },
  { command: 'deployment-like-this', keys: ['A'], in: ['deployments'], help: 'create like this' },
  { command: 'open', keys: ['enter'], in: ['files'], label: 'view', help: 'view or fold' },
  { command: 'open', keys: ['enter'], in: ['grants'], label: 'details', help: 'show the grant' },
  { command: 'edit', keys: ['e'], in: ['files', 'view'], label: 'edit', help: 'edit' },
  { command: 'external-editor', keys: ['ctrl+o'], in: ['files', 'view'], help: '$EDITOR' },
  { command: 'new-file', keys: ['a'], in: ['files'], label: 'new', help: 'new file' },
  { command: 'copy-file', keys: ['A'], in: ['files'], help: 'copy the file' },
  { command: 'mark', keys: ['space'], in: ['files'], label: 'mark', help: 'mark' },
  { command: 'mark', keys: ['space'], in: ['deployments'], help: 'mark' },
  {
    command: 'close-deployments',
    keys: ['X'],
    in: ['deployments'],
    label: 'close',
    help: 'close; asks',
  },
  { command: 'move-files', keys: ['m'], in: ['files'], label: 'move', help: 'move, rename' },
  {
    command: 'delete-files',
    keys: ['X'],
    in: ['files'],
    label: 'delete',
    help: 'delete; asks',
  },
  { command: 'grant', keys: ['a'], in: ['grants'], label: 'grant', help: 'grant; asks' },
  {
    command: 'grant-like',
    keys: ['A'],
    in: ['grants'],
    label: 'grant like',
    help: 'grant like this',
  },
  { command: 'revoke', keys: ['X'], in: ['grants'], label: 'revoke', help: 'revoke; asks' },
  { command: 'upload', keys: ['p'], in: ['files'], label: 'upload', help: 'upload' },
  { command: 'save-files', keys: ['S'], in: ['files'], label: 'save', help: 'save to this disk' },
  {
    command: 'put-back',
    keys: ['u'],
    in: ['files'],
    label: 'put back',
    help: 'put the last back',
  },
  {
    command: 'difference',
    keys: ['D'],
    in: ['files', 'view'],
    help: 'draft and service',
  },
  { command: 'next-change', keys: ['n'], in: ['diff'], label: 'next', help: 'next change' },
  {
    command: 'previous-change',
    keys: ['N'],
    in: ['diff'],
    label: 'previous',
    help: 'previous change',
  },
  { command: 'services', keys: ['s'], in: ['files'], label: 'service', help: 'choose the service' },
  { command: 'unfold', keys: ['right'], in: ['files'], help: 'unfold' },
  { command: 'fold', keys: ['left'], in: ['files'], help: 'fold' },
  ...logBindings,
  { command: 'wrap', keys: ['w'], in: ['logs', ...texts], label: 'wrap', help: 'wrap long lines' },
  { command: 'left', keys: ['left'], in: ['logs', ...pages], help: 'sideways' },
  { command: 'right', keys: ['right'], in: ['logs', ...pages], help: 'sideways' },
  { command: 'page-down', keys: ['space'], in: read, label: 'page', help: 'a page on' },
  { command: 'logs', keys: ['l'], in: lists, help: 'logs: row or marks' },
  {
    command: 'details',
    keys: ['d'],
    in: ['deployments', 'files', 'logs', ...texts],
    label: 'details',
    help: 'details',
  },
  { command: 'details', keys: ['d'], in: ['grants'], help: 'details' },
  {
    command: 'raw-answer',
    title: 'json',
    keys: ['J'],
    in: ['details'],
    label: 'JSON',
    help: 'as JSON, and back',
  },
  { command: 'copy-short', keys: ['y'], in: ['details'], label: 'copy', help: 'copy the value' },
  { command: 'copy-whole', keys: ['Y'], in: ['details'], help: 'copy the field' },
  { command: 'copy-short', keys: ['y'], in: lists, help: 'to the clipboard' },
  { command: 'copy-whole', keys: ['Y'], in: lists, help: 'whole to clipboard' },
  { command: 'copy-whole', keys: ['Y'], in: ['history'], help: 'whole to clipboard' },
  { command: 'print-copied', keys: ['P'], help: 'print copy, lines' },
  {
    command: 'restart',
    keys: ['r', 'ctrl+r'],
    label: 'restart',
    help: 'restart; asks',
    subject: 'deployment',
  },
  { command: 'cancel-restart', keys: ['c'], help: 'cancel restart', subject: 'deployment' },
  { command: 'filter', keys: ['/'], in: lists, label: 'filter', help: 'filter the rows' },
  { command: 'order', keys: ['o'], in: lists, help: 'next order of rows' },
  { command: 'reverse-order', keys: ['I'], in: lists, help: 'reverse the order' },
  { command: 'palette', keys: [':', 'f2'], label: 'command', help: 'do by name' },
  { command: 'fullscreen', keys: ['f'], label: 'full', help: 'full screen' },
  { command: 'down', keys: ['j', 'down'], help: 'down' },
  { command: 'up', keys: ['k', 'up'], help: 'up' },
  { command: 'first', keys: ['g', 'home'], help: 'first' },
  { command: 'last', keys: ['G', 'end'], in: [...lists, ...read], help: 'last' },
  { command: 'half-down', keys: ['ctrl+d'], help: 'half a page down' },
  { command: 'half-up', keys: ['ctrl+u'], help: 'half a page up' },
  { command: 'page-down', keys: ['pagedown'], help: 'page down' },
  { command: 'page-up', keys: ['pageup'], help: 'page up' },
  { command: 'pane-1', keys: ['1'], help: 'deployments', title: 'go to deployments' },
  { command: 'pane-2', keys: ['2'], help: 'files', title: 'go to files' },
  { command: 'pane-3', keys: ['3'], help: 'grants', title: 'go to grants' },
  { command: 'pane-4', keys: ['4'], help: 'log or view', title: 'go to pane 4' },
  { command: 'next-pane', keys: ['tab'], help: 'next pane' },
  { command: 'previous-pane', keys: ['shift+tab'], help: 'previous pane' },
  { command: 'tail', keys: ['ctrl+t'], help: 'the log, and back' },
  {
    command: 'retry-gap',
    keys: ['R'],
    in: ['logs'],
    help: 'refetch, fill gaps',
    title: 'fill gaps',
  },
  { command: 'refetch', keys: ['R'], in: [...lists, ...pages], help: 'refetch' },
  { command: 'refetch', keys: ['f5'], help: 'refetch' },
  { command: 'wider', keys: ['+'], help: 'left side wider' },
  { command: 'narrower', keys: ['-'], help: 'left side narrower' },
  { command: 'redraw', keys: ['ctrl+l'], help: 'redraw the screen' },
  { command: 'suspend', keys: ['ctrl+z'], help: 'suspend' },
  { command: 'escape', keys: ['escape'], help: 'one step back' },
  { command: 'quit', keys: ['q'], help: 'back; twice: quit' },
  { command: 'interrupt', keys: ['ctrl+c'], help: 'end what runs, q' },
  { command: 'help', keys: ['?', 'f1'], label: 'help', help: 'these keys' },
];

export function contextOf(focus: Pane, main: MainView): KeyContext {
  if (focus !== 'main') return focus;
  switch (main.kind) {
    case 'logs':
      return 'logs';
    case 'file':
      return 'view';
    case 'editor':
      return 'edit';
    case 'diff':
      return 'diff';
    case 'history':
      return 'history';
    case 'deployment':
    case 'grant':
    case 'answer':
    case 'line':
      return 'details';
  }
}

/** The keys that mean something there. In the editor those of the panes do not hold: it types. */
export function bindingsIn(context: KeyContext): readonly KeyBinding[] {
  return context === 'edit' ? editBindings : paneBindings(context);
}

function paneBindings(context: KeyContext): readonly KeyBinding<Command>[] {
  return bindings.filter((binding) => binding.in === undefined || binding.in.includes(context));
}

export function commandFor(context: KeyContext, key: string): Command | undefined {
  if (context === 'edit') return undefined;
  return paneBindings(context).find((binding) => binding.keys.includes(key))?.command;
}

/** Above the panes only these work; everything else belongs to what lies there. */
const aboveThePanes: Readonly<Record<string, Command>> = {
  f1: 'help',
  'ctrl+l': 'redraw',
  'ctrl+c': 'escape',
  escape: 'escape',
};

export function commandAbove(key: string): Command | undefined {
  return aboveThePanes[key];
}
