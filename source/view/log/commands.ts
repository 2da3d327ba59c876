import type { Deck } from '../../store/deck/deck.ts';
import type { Command, CommandVariant } from '../command/command.ts';
import { openColumns } from './columns/choose-columns.ts';
import { copyLines } from './copy.ts';
import { openLine } from './details.ts';
import { goToError } from './steps/seek-step.ts';
import { foldCommand, openFoldedRun } from './patterns/fold-command.ts';
import { histogramCommands } from './histogram/commands.ts';
import { lineCommands } from './line-commands.ts';
import {
  promptTime,
  retryGaps,
  cycleTimeFormat,
  stepToMark,
  toggleLineMark,
} from './navigation.ts';
import { openFilterList } from './filters.ts';
import { patternCommands } from './patterns/pattern-commands.ts';
import { deploymentFilterCommands } from './terms/deployment-filter-commands.ts';
import { promptFilter, promptSearch } from './prompts.ts';
import { stepToMatch } from './queries.ts';
import { takeCommands } from './take-commands.ts';
import { openServicesBox } from './services.ts';
import { clearStepMessage } from './steps/step-message.ts';
import { isFrozen } from './title.ts';

const contexts = ['logs'] as const;

function ifFrozen(variant: CommandVariant): (deck: Deck) => CommandVariant | undefined {
  return (deck) => (isFrozen(deck) ? variant : undefined);
}

/** Commands of the log and of the details of its lines. */
export const logCommands: readonly Command[] = [
  {
    id: 'log.freeze',
    keys: ['space'],
    contexts,
    label: 'pause',
    group: 'pane',
    topic: 'follow',
    help: 'pause or follow',
    title: 'pause',
    synonyms: ['freeze', 'stop', 'resume'],
    variant: ifFrozen({ label: undefined }),
    run: ({ deck }) => deck.opened.getState().tail?.view.toggleFreeze(),
  },
  {
    id: 'log.follow',
    keys: ['G', 'end'],
    contexts,
    group: 'pane',
    topic: 'follow',
    help: 'newest, follow',
    title: 'follow',
    synonyms: ['tail', 'live', 'bottom'],
    // The footer omits the command while the log already follows.
    variant: ifFrozen({ label: 'follow' }),
    run({ deck }) {
      clearStepMessage(deck);
      deck.opened.getState().tail?.view.follow();
    },
  },
  {
    id: 'log.search',
    keys: ['/'],
    contexts,
    label: 'search',
    group: 'pane',
    topic: 'find',
    help: 'search',
    note: 'n newer, N older',
    title: 'search',
    synonyms: ['find', 'grep'],
    run: ({ deck }) => promptSearch(deck),
  },
  {
    id: 'log.filter',
    keys: ['&'],
    contexts,
    label: 'filter',
    group: 'pane',
    topic: 'find',
    help: 'add a filter',
    note: 'text, !text, Tab regex',
    title: 'filter lines',
    synonyms: ['grep', 'only'],
    run: ({ deck }) => promptFilter(deck),
  },
  {
    id: 'log.filters',
    keys: ['F'],
    contexts,
    label: 'filters',
    group: 'pane',
    topic: 'find',
    help: 'filter list',
    note: 'on, off, edit',
    title: 'log filters',
    synonyms: ['exclude', 'include', 'grep'],
    run: ({ deck }) => openFilterList(deck),
  },
  {
    id: 'log.next-error',
    keys: ['e'],
    contexts,
    label: 'error',
    pairedWith: 'log.previous-error',
    group: 'pane',
    topic: 'find',
    help: 'next error',
    title: 'next error',
    synonyms: ['failure', 'exception'],
    run: ({ deck, viewport }) => goToError(deck, 1, viewport),
  },
  {
    id: 'log.previous-error',
    keys: ['E'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'previous error',
    title: 'previous error',
    synonyms: ['failure', 'exception'],
    run: ({ deck, viewport }) => goToError(deck, -1, viewport),
  },
  ...deploymentFilterCommands,
  {
    id: 'log.services',
    keys: ['s'],
    contexts,
    label: 'services',
    group: 'pane',
    topic: 'find',
    help: 'services',
    title: 'log services',
    synonyms: ['containers'],
    // A frozen log is mainly copied and exported, so those commands come first.
    variant: ifFrozen({ after: 'text.wrap' }),
    run: ({ deck }) => openServicesBox(deck),
  },
  ...takeCommands,
  ...histogramCommands,
  ...patternCommands,
  foldCommand,
  {
    id: 'log.copy-whole',
    keys: ['Y'],
    contexts,
    group: 'pane',
    topic: 'copy',
    help: 'copy, with time',
    title: 'copy whole',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyLines(deck, terminal.clipboard, 'whole'),
  },
  {
    id: 'log.line-details',
    keys: ['enter'],
    contexts,
    group: 'pane',
    topic: 'open',
    help: 'line details',
    title: 'line details',
    synonyms: ['open', 'show', 'inspect'],
    run: ({ deck }) => {
      if (!openFoldedRun(deck)) openLine(deck);
    },
  },
  {
    id: 'log.newer-match',
    keys: ['n'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'newer match',
    title: 'newer match',
    synonyms: ['next'],
    run: ({ deck }) => stepToMatch(deck, 'newer'),
  },
  {
    id: 'log.older-match',
    keys: ['N'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'older match',
    title: 'older match',
    synonyms: ['previous'],
    run: ({ deck }) => stepToMatch(deck, 'older'),
  },
  {
    id: 'log.time-format',
    keys: ['t'],
    contexts,
    label: 'times',
    group: 'pane',
    topic: 'view',
    help: 'time format',
    title: 'times',
    synonyms: ['utc', 'local', 'date', 'zone'],
    run: ({ deck }) => cycleTimeFormat(deck),
  },
  {
    id: 'log.raw-json',
    keys: ['J'],
    contexts,
    group: 'pane',
    topic: 'view',
    help: 'JSON as written',
    title: 'raw json',
    synonyms: ['record', 'fields', 'plain'],
    run({ deck }) {
      const isRaw = deck.screen.reading.toggleRawJson();
      deck.messages.say(isRaw ? 'JSON lines as written.' : 'JSON lines as level, message, fields.');
    },
  },
  {
    id: 'log.columns',
    keys: ['C'],
    contexts,
    group: 'pane',
    topic: 'view',
    help: 'columns',
    title: 'log columns',
    synonyms: ['fields', 'table', 'json', 'logfmt'],
    run: ({ deck }) => openColumns(deck),
  },
  {
    id: 'log.go-to-time',
    keys: ['T'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'go to a time',
    title: 'go to time',
    synonyms: ['jump', 'since', 'date'],
    run: ({ deck }) => promptTime(deck),
  },
  {
    id: 'log.mark',
    keys: ['m'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'mark the line',
    title: 'mark line',
    synonyms: ['bookmark', 'pin'],
    run: ({ deck }) => toggleLineMark(deck),
  },
  {
    id: 'log.next-mark',
    keys: ['M'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'next mark',
    title: 'next mark',
    synonyms: ['bookmark', 'jump'],
    run: ({ deck, viewport }) => stepToMark(deck, viewport),
  },
  ...lineCommands,
  {
    id: 'log.fill-gaps',
    keys: ['R'],
    contexts,
    group: 'refresh',
    help: 'refetch, fill gaps',
    title: 'fill gaps',
    synonyms: ['reload', 'refresh', 'reconnect', 'retry'],
    run({ deck }) {
      retryGaps(deck);
      deck.refresh.now();
      deck.opened.getState().tail?.log.reconnect();
    },
  },
];
