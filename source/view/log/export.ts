/** Exports log lines to a file of this machine. */
import type { Deck } from '../../store/deck/deck.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import type { LocalFiles } from '../../store/transfers/local-files.ts';
import {
  type ExportResult,
  type ExportFormat,
  type ExportOutcome,
  exportLog,
  exportFormat,
} from '../../store/log/reader/export.ts';
import { type FilterWaitResult, waitForFilter } from '../../store/log/reader/filter-end.ts';
import { gapSentence } from '../../store/log/reader/view.ts';
import type { LogRange } from '../../store/log/reader/slices.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import type { Confirmation } from '../../store/prompts/confirm.ts';
import type { Transfer } from '../../store/deck/screen/transfer.ts';
import { formatBytes, formatCount } from '../text/amount.ts';
import { confirm } from '../command/confirm.ts';
import { countIn, filledTail, linesText, saysHidden, shownRange } from './range.ts';
import { mayTransfer } from '../command/run-transfer.ts';
import { openedText } from './title.ts';

/** A request to export lines. */
interface Wanted {
  readonly tail: Tail;
  readonly deploymentId: string;
  /** The selected range; undefined exports all lines shown at the time of writing. */
  readonly selected: LogRange | undefined;
  /** File name used when the path is a folder. */
  readonly name: string;
}

/** The file that an export writes to. */
interface Target {
  readonly local: LocalFiles;
  readonly file: string;
  readonly replaces: boolean;
}

/** Prompts for a local file and exports the selected or all shown lines (`S`). */
export function askExport(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): void {
  const { id: deploymentId = '' } = deck.opened.getState();
  const tail = filledTail(deck);
  const selected = tail?.view.selection();
  const range = selected ?? (tail === undefined ? undefined : shownRange(tail));
  if (tail === undefined || range === undefined) {
    return deck.messages.say('No lines to save.');
  }
  if (saysHidden(deck, tail, range) || !mayTransfer(deck)) return;
  const isAll = tail.filter.isDone();
  const count = `${linesText(countIn(tail, range))}${isAll ? '' : ' so far'}`;
  const name = fileName(openedText(deck), deck.clock.now());
  const wanted = { tail, deploymentId, selected, name };
  const prompt = {
    label: `Save ${count}${selected === undefined ? '' : ' selected'} as: `,
    hints: exportHints,
    completions: async (text: string) => completePath(text, (await deck.files.work()).local, false),
    writes: true,
    submit(text: string) {
      void prepare(deck, wanted, text);
    },
  };
  deck.screen.overlay.open(prompting(prompt, `./${name}`));
}

/** Hints of the export prompt, with the extension that selects the format. */
export const exportHints = [
  ['Enter', 'save'],
  ['Tab', 'complete'],
  ['.jsonl', 'as JSON'],
  ['Esc', 'cancel'],
] as const;

/** Returns a default name such as `shop-20261121-1203.log`, in local time. */
function fileName(deployment: string, now: number): string {
  const date = new Date(now);
  const [day, time] = [
    [date.getFullYear(), date.getMonth() + 1, date.getDate()],
    [date.getHours(), date.getMinutes()],
  ].map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(''));
  const plain = deployment.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  return `${plain === '' ? 'log' : plain}-${day}-${time}.log`;
}

async function prepare(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened' | 'files'>,
  wanted: Wanted,
  text: string,
): Promise<void> {
  const { local } = await deck.files.work();
  const [typed, ...others] = parsePaths(text, local.home);
  if (typed === undefined || others.length > 0) {
    return deck.messages.say('Enter the path of one file. Nothing was saved.', 'bad');
  }
  const isFolder =
    typed.endsWith('/') || (await local.statusAt(local.resolve(typed), [])) === 'folder';
  const file = local.resolve(isFolder ? `${typed}/${wanted.name}` : typed);
  const there = await local.statusAt(file, []);
  if (there === 'folder')
    return deck.messages.say(`${file} is a folder. Nothing was saved.`, 'bad');
  const replaces = there === 'file';
  if (replaces && (await confirm(deck, replaceQuestion(file))) !== 1) return;
  if (mayTransfer(deck)) await write(deck, wanted, { local, file, replaces });
}

function replaceQuestion(file: string): Omit<Confirmation, 'answer'> {
  return {
    title: 'replace this file?',
    lines: [`${file} already exists.`],
    options: [
      { label: 'Cancel', meaning: 'saves nothing' },
      { label: 'Replace', meaning: 'replaces the file', destroys: true },
    ],
    escape: 'cancel',
  };
}

async function write(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  wanted: Wanted,
  target: Target,
): Promise<void> {
  const { screen } = deck;
  const ending = new AbortController();
  const show: Showing = (verb) => (linesDone: number, lines: number) => {
    const progress = { linesDone, lines };
    screen.transfer.show({ verb, progress, cancel: () => ending.abort() });
  };
  screen.message.clear();
  try {
    const outcome = await exported(deck, wanted, target, ending, show);
    const isWhole = outcome.kind === 'saved' && !hasGaps(outcome.exported);
    const tone = isWhole ? 'good' : outcome.kind === 'cancelled' ? 'plain' : 'bad';
    deck.messages.say(exportSentence(outcome, target.file, exportFormat(target.file)), tone);
  } finally {
    screen.transfer.end();
  }
}

/** Returns a reporter of the progress of one step. */
type Showing = (verb: Transfer['verb']) => (linesDone: number, lines: number) => void;

async function exported(
  deck: Pick<Deck, 'clock' | 'opened'>,
  { tail, deploymentId, selected }: Wanted,
  { local, file, replaces }: Target,
  ending: AbortController,
  show: Showing,
): Promise<ExportOutcome> {
  const { signal } = ending;
  const saving = show('Saving');
  const asked = selected ?? shownRange(tail);
  saving(0, asked === undefined ? 0 : countIn(tail, asked));
  // The filter may still add lines to the range, so it must finish first.
  const filtered = await filteredOut(deck, tail, ending, show('Filtering'));
  if (filtered !== 'done') return { kind: filtered };
  const range = selected ?? shownRange(tail);
  if (range === undefined) return { kind: 'moved' };
  const begun = await local.begin(file, replaces);
  if (!begun.ok) return { kind: 'unwritable', reason: begun.reason };
  return exportLog({
    entries: tail.entries,
    range,
    format: exportFormat(file),
    deploymentId,
    clock: deck.clock,
    file: begun.writing,
    onProgress: ({ linesDone, lines }) => saving(linesDone, lines),
    signal,
  });
}

/** Waits for the filter; aborts when another log opens. */
async function filteredOut(
  { opened }: Pick<Deck, 'opened'>,
  tail: Tail,
  ending: AbortController,
  onProgress: (looked: number, total: number) => void,
): Promise<FilterWaitResult> {
  const stop = opened.subscribe((now) => {
    if (now.tail !== tail) ending.abort();
  });
  try {
    return await waitForFilter(tail.filter, ending.signal, onProgress);
  } finally {
    stop();
  }
}

function hasGaps({ gaps, lostAtEnd }: ExportResult): boolean {
  return gaps > 0 || lostAtEnd;
}

/** Returns the message that reports the outcome of an export. */
export function exportSentence(outcome: ExportOutcome, file: string, format: ExportFormat): string {
  switch (outcome.kind) {
    case 'cancelled':
      return 'Cancelled. Nothing was saved.';
    case 'moved':
      return 'The shown lines have changed. Nothing was saved; S retries.';
    case 'unwritable':
      return `Can't write ${file}: ${outcome.reason}. Nothing was saved.`;
    case 'saved': {
      const { exported } = outcome;
      const kind = format === 'json' ? ' as JSON' : '';
      const size = formatBytes(exported.bytes);
      return `Saved ${linesText(exported.lines)}${kind}, ${size}, to ${file}.${gapsText(exported)}`;
    }
  }
}

function gapsText({ gaps, firstGap, lostAtEnd }: ExportResult): string {
  const end = lostAtEnd ? ' The last lines had left memory.' : '';
  if (firstGap === undefined) return end;
  const which = gapSentence(firstGap).replace(/^gap: /, '');
  const count = gaps === 1 ? ' 1 gap: ' : ` ${formatCount(gaps)} gaps, the first: `;
  return `${count}${which}.${end}`;
}
