import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { Command, CommandVariant } from '../command/command.ts';
import { diffCommands } from './diff-commands.ts';
import { confirmDiscardHere } from './discard-draft.ts';
import {
  promptForLine,
  escapeEditor,
  leaveEditor,
  saveDocument,
  goToNextProblem,
} from './document.ts';
import { editExternally } from './external-editor.ts';
import { openFind, repeatFind } from './find-steps.ts';
import { runInText, typingCommands } from './motion-commands.ts';

const contexts = ['edit'] as const;

/** Returns `variant` while the definition of a new deployment is edited. */
function forDefinition(variant: CommandVariant): (deck: Deck) => CommandVariant | undefined {
  return ({ editor }) =>
    editor.state.getState().document?.kind === 'definition' ? variant : undefined;
}

/** Commands of the editor and of the difference. */
export const editorCommands: readonly Command[] = [
  ...diffCommands,
  {
    id: 'editor.save',
    keys: ['ctrl+s'],
    contexts,
    label: 'save',
    group: 'document',
    help: 'save',
    // No title keeps it out of the palette, because saving writes without a confirmation.
    writes: true,
    variant: forDefinition({ label: 'create', help: 'create...' }),
    run: ({ deck }) => void saveDocument(deck),
  },
  {
    id: 'editor.leave',
    keys: ['ctrl+q'],
    contexts,
    label: 'leave',
    group: 'document',
    help: 'leave, keep draft',
    title: 'leave',
    synonyms: ['close', 'exit', 'back'],
    run: ({ deck }) => leaveEditor(deck),
  },
  {
    id: 'editor.find',
    keys: ['ctrl+f'],
    contexts,
    label: 'find',
    group: 'document',
    help: 'find, replace',
    title: 'find',
    synonyms: ['search', 'substitute'],
    run: ({ deck }) => openFind(deck),
  },
  {
    id: 'editor.undo',
    keys: ['ctrl+z'],
    contexts,
    label: 'undo',
    group: 'document',
    help: 'undo',
    title: 'undo',
    synonyms: ['revert'],
    run: runInText('undo'),
  },
  {
    id: 'editor.redo',
    keys: ['ctrl+y'],
    contexts,
    group: 'document',
    help: 'redo',
    title: 'redo',
    synonyms: ['again'],
    run: runInText('redo'),
  },
  {
    id: 'editor.discard',
    keys: ['f6'],
    contexts,
    label: 'discard',
    group: 'text',
    help: 'discard draft...',
    title: 'discard draft',
    synonyms: ['revert', 'reset', 'drop'],
    run: ({ deck }) => void confirmDiscardHere(deck),
  },
  {
    id: 'editor.external-editor',
    keys: ['ctrl+o'],
    contexts,
    label: '$EDITOR',
    group: 'text',
    help: '$EDITOR',
    title: 'external editor',
    synonyms: ['vim', 'emacs', 'nano'],
    run: ({ deck, terminal }) => void editExternally(deck, terminal),
  },
  {
    id: 'editor.find-next',
    keys: ['f3'],
    contexts,
    group: 'text',
    help: 'next match',
    title: 'find next',
    run: ({ deck }) => repeatFind(deck, true),
  },
  {
    id: 'editor.find-previous',
    keys: ['shift+f3'],
    contexts,
    group: 'text',
    help: 'previous match',
    title: 'find previous',
    run: ({ deck }) => repeatFind(deck, false),
  },
  {
    id: 'editor.go-to-line',
    keys: ['ctrl+g'],
    contexts,
    group: 'text',
    help: 'go to a line',
    title: 'go to line',
    synonyms: ['jump'],
    run: ({ deck }) => promptForLine(deck),
  },
  {
    id: 'editor.next-problem',
    keys: ['f8'],
    contexts,
    group: 'text',
    help: 'next problem',
    title: 'next problem',
    synonyms: ['error', 'mistake'],
    variant: forDefinition({ label: 'problem' }),
    run: ({ deck }) => goToNextProblem(deck),
  },
  {
    id: 'editor.copy',
    keys: ['ctrl+c'],
    contexts,
    group: 'text',
    help: 'copy selection',
    title: 'copy',
    synonyms: ['yank', 'clipboard'],
    run({ deck }) {
      const hasCopied = deck.editor.act((text) => text.run('copy')) === true;
      deck.messages.say(
        hasCopied
          ? `Copied. ${keyName('editor.paste', '^V')} pastes.`
          : `Nothing is selected. ${keyName('editor.leave', '^Q')} leaves the editor.`,
      );
    },
  },
  {
    id: 'editor.cut',
    keys: ['ctrl+x'],
    contexts,
    group: 'text',
    help: 'cut selection',
    title: 'cut',
    run: runInText('cut'),
  },
  {
    id: 'editor.paste',
    keys: ['ctrl+v'],
    contexts,
    group: 'text',
    help: 'paste',
    title: 'paste',
    synonyms: ['insert', 'clipboard'],
    run: runInText('paste'),
  },
  {
    id: 'editor.cut-line',
    keys: ['ctrl+k'],
    contexts,
    group: 'text',
    help: 'cut the line',
    title: 'cut line',
    synonyms: ['delete', 'remove', 'kill'],
    run: runInText('cut-line'),
  },
  {
    id: 'editor.delete-word',
    keys: ['ctrl+w'],
    quietKeys: ['alt+backspace'],
    contexts,
    group: 'text',
    help: 'delete word',
    title: 'delete word',
    synonyms: ['remove'],
    run: runInText('delete-word'),
  },
  {
    id: 'editor.delete-word-forward',
    keys: ['ctrl+delete'],
    contexts,
    group: 'text',
    help: 'delete word ahead',
    title: 'delete word forward',
    synonyms: ['remove'],
    run: runInText('delete-word-forward'),
  },
  {
    id: 'editor.set-mark',
    keys: ['ctrl+space'],
    contexts,
    group: 'text',
    help: 'select from here',
    title: 'select',
    synonyms: ['mark', 'visual'],
    run: runInText('set-mark'),
  },
  {
    id: 'editor.select-all',
    keys: ['alt+a'],
    contexts,
    group: 'text',
    help: 'select all',
    title: 'select all',
    run: runInText('select-all'),
  },
  {
    id: 'editor.move-line-up',
    keys: ['alt+up'],
    contexts,
    group: 'text',
    help: 'move the line up',
    title: 'move line up',
    run: runInText('move-line-up'),
  },
  {
    id: 'editor.move-line-down',
    keys: ['alt+down'],
    contexts,
    group: 'text',
    help: 'move the line down',
    title: 'move line down',
    run: runInText('move-line-down'),
  },
  {
    id: 'editor.comment',
    keys: ['ctrl+_'],
    contexts,
    group: 'text',
    help: 'comment',
    title: 'comment',
    synonyms: ['uncomment', 'toggle'],
    run: runInText('comment'),
  },
  {
    id: 'editor.indent',
    keys: ['tab'],
    contexts,
    group: 'text',
    help: 'indent',
    run: runInText('tab'),
  },
  {
    id: 'editor.outdent',
    keys: ['shift+tab'],
    contexts,
    group: 'text',
    help: 'outdent',
    run: runInText('outdent'),
  },
  {
    id: 'editor.wrap',
    keys: ['alt+w'],
    contexts,
    group: 'text',
    help: 'wrap long lines',
    title: 'soft wrap',
    run({ deck }) {
      const shouldWrap = deck.editor.act((text) => !text.wraps) ?? false;
      deck.editor.act((text) => text.setWrap(shouldWrap));
      deck.screen.reading.setWrap(shouldWrap);
    },
  },
  ...typingCommands,
  {
    id: 'editor.escape',
    keys: ['escape'],
    contexts,
    group: 'leave',
    help: 'unselect, leave',
    isConfirmedByRepeat: true,
    run: ({ deck }) => escapeEditor(deck),
  },
];
