import { type Command } from '../command/command.ts';
import { toggleRaw, detailUnderCursor } from './details.ts';
import { openDeploymentDetails } from '../command/open-details.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { clipboardLines } from '../../terminal/clipboard.ts';
import { type Clipboard, type CopyForm, copyText } from '../command/copy.ts';

const contexts = ['details'] as const;

/** Commands of Details, with the key that opens them from pane 4. */
export const detailCommands: readonly Command[] = [
  {
    id: 'details.open',
    keys: ['d'],
    contexts: ['logs', 'view', 'details'],
    label: 'details',
    group: 'open',
    help: 'details',
    title: 'details',
    synonyms: ['describe', 'info', 'show', 'inspect'],
    variant({ screen }, context) {
      if (context !== 'details') return undefined;
      return screen.getState().main.kind === 'deployment'
        ? { isHidden: true }
        : { label: 'deployment' };
    },
    run: ({ deck }) => openDeploymentDetails(deck),
  },
  {
    id: 'details.json',
    keys: ['J'],
    contexts,
    label: 'JSON',
    group: 'open',
    help: 'as JSON, and back',
    title: 'json',
    synonyms: ['raw', 'answer'],
    variant: ({ screen }) =>
      screen.getState().main.kind === 'line' ? { isHidden: true } : undefined,
    run: ({ deck }) => toggleRaw(deck),
  },
  {
    id: 'details.copy-value',
    keys: ['y'],
    contexts,
    label: 'copy',
    group: 'copy',
    help: 'copy the value',
    title: 'copy short',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyDetail(deck, terminal.clipboard, 'short'),
  },
  {
    id: 'details.copy-field',
    keys: ['Y'],
    contexts,
    group: 'copy',
    help: 'copy the field',
    title: 'copy whole',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyDetail(deck, terminal.clipboard, 'whole'),
  },
];

/** Copies the value of the row under the cursor of Details, or its whole field. */
function copyDetail(
  deck: Pick<
    Deck,
    | 'lists'
    | 'clock'
    | 'screen'
    | 'messages'
    | 'deployments'
    | 'files'
    | 'opened'
    | 'grants'
    | 'colours'
  >,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const row = detailUnderCursor(deck);
  const text = clipboardLines((form === 'whole' ? row?.whole : undefined) ?? row?.value ?? '');
  return copyText(deck, clipboard, text);
}
