/** Exports log lines to a file of this machine. */
import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import {
  type ExportResult,
  type ExportFormat,
  type ExportOutcome,
  exportLog,
  exportFormat,
} from '../../store/log/reader/export.ts';
import { type FilterWaitResult, waitForFilter } from '../../store/log/reader/filter.ts';
import type { LogRange } from '../../store/log/reader/slices.ts';
import type { Confirmation } from '../../store/prompts/confirm.ts';
import type { Transfer } from '../../store/deck/screen/transfer.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { formatCount } from '../text/amount.ts';
import { confirm } from '../command/confirm.ts';
import {
  countEntries,
  nonEmptyTail,
  lineCountText,
  reportHiddenRange,
  shownRange,
} from './range.ts';
import type { ReportProblem } from '../command/prompt-again.ts';
import { mayTransfer } from '../command/run-transfer.ts';
import { datedFileName, type FileToWrite, promptFileToWrite } from '../command/typed-file.ts';
import { openedText } from './title.ts';
import { gapSentence } from '../../tail/arena/gap.ts';
import type { Tail } from '../../store/log/tail.ts';

/** A request to export lines. */
interface ExportRequest {
  readonly tail: Tail;
  readonly deploymentId: string;
  /** The selected range; undefined exports all lines shown at the time of writing. */
  readonly selection: LogRange | undefined;
}

/** Prompts for a local file and exports the selected or all shown lines (`S`). */
export function promptExport(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): void {
  const { id: deploymentId = '' } = deck.opened.getState();
  const tail = nonEmptyTail(deck);
  const selection = tail?.view.selection();
  const range = selection ?? (tail === undefined ? undefined : shownRange(tail));
  if (tail === undefined || range === undefined) {
    return deck.messages.say('No lines to save.');
  }
  if (reportHiddenRange(deck, tail, range) || !mayTransfer(deck)) return;
  const isAll = tail.filter.isDone();
  const count = `${lineCountText(countEntries(tail, range))}${isAll ? '' : ' so far'}`;
  const name = datedFileName(openedText(deck), 'log', {
    now: deck.clock.now(),
    fallback: 'log',
  });
  const request = { tail, deploymentId, selection };
  promptFileToWrite(
    deck,
    {
      label: `Save ${count}${selection === undefined ? '' : ' selected'} as: `,
      hints: exportHints,
      writes: true,
      name,
      refusal: nothingSaved,
    },
    async (target, report) => {
      const { file, replaces } = target;
      if (replaces && (await confirm(deck, replaceConfirmation(file))) !== 1) return;
      if (mayTransfer(deck)) await exportTo(deck, request, target, report);
    },
  );
}

/** Hints of the export prompt, with the extension that selects the format. */
export const exportHints = [
  ['Enter', 'save'],
  ['Tab', 'complete'],
  ['.jsonl', 'as JSON'],
  ['Esc', 'cancel'],
] as const;

const nothingSaved = 'Nothing was saved.';

function replaceConfirmation(file: string): Omit<Confirmation, 'answer'> {
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

async function exportTo(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  request: ExportRequest,
  target: FileToWrite,
  report: ReportProblem,
): Promise<void> {
  const { screen } = deck;
  const controller = new AbortController();
  const reporter: ProgressReporter = (verb) => (linesDone: number, lines: number) => {
    const progress = { linesDone, lines };
    screen.transfer.show({ verb, progress, cancel: () => controller.abort() });
  };
  screen.message.clear();
  try {
    const outcome = await runExport(deck, request, target, controller, reporter);
    const isWhole = outcome.kind === 'saved' && !hasGaps(outcome.exported);
    const tone = isWhole ? 'good' : outcome.kind === 'cancelled' ? 'plain' : 'bad';
    const message = exportMessage(outcome, target.file, exportFormat(target.file));
    if (outcome.kind === 'unwritable') {
      report({ sentence: `Can't write: ${outcome.reason}.`, next: nothingSaved }, message);
    } else deck.messages.say(message, tone);
  } finally {
    screen.transfer.end();
  }
}

/** Returns a reporter of the progress of one step. */
type ProgressReporter = (verb: Transfer['verb']) => (linesDone: number, lines: number) => void;

async function runExport(
  deck: Pick<Deck, 'clock' | 'opened'>,
  { tail, deploymentId, selection }: ExportRequest,
  { local, file, replaces }: FileToWrite,
  controller: AbortController,
  reporter: ProgressReporter,
): Promise<ExportOutcome> {
  const { signal } = controller;
  const reportSaving = reporter('Saving');
  const initialRange = selection ?? shownRange(tail);
  reportSaving(0, initialRange === undefined ? 0 : countEntries(tail, initialRange));
  // The filter may still add lines to the range, so it must finish first.
  const filtered = await waitForTailFilter(deck, tail, controller, reporter('Filtering'));
  if (filtered !== 'done') return { kind: filtered };
  const range = selection ?? shownRange(tail);
  if (range === undefined) return { kind: 'moved' };
  const started = await local.begin(file, replaces);
  if (!started.ok) return { kind: 'unwritable', reason: started.reason };
  return exportLog({
    shown: tail.filter,
    range,
    format: exportFormat(file),
    deploymentId,
    clock: deck.clock,
    file: started.writing,
    onProgress: ({ linesDone, lines }) => reportSaving(linesDone, lines),
    signal,
  });
}

/** Waits for the filter; aborts when another log opens. */
async function waitForTailFilter(
  { opened }: Pick<Deck, 'opened'>,
  tail: Tail,
  controller: AbortController,
  onProgress: (scanned: number, total: number) => void,
): Promise<FilterWaitResult> {
  const stop = opened.subscribe((now) => {
    if (now.tail !== tail) controller.abort();
  });
  try {
    return await waitForFilter(tail.filter, controller.signal, onProgress);
  } finally {
    stop();
  }
}

function hasGaps({ gaps, lostAtEnd }: ExportResult): boolean {
  return gaps > 0 || lostAtEnd;
}

/** Returns the message that reports the outcome of an export. */
export function exportMessage(outcome: ExportOutcome, file: string, format: ExportFormat): string {
  switch (outcome.kind) {
    case 'cancelled':
      return 'Cancelled. Nothing was saved.';
    case 'moved':
      return `The shown lines have changed. Nothing was saved; ${keyName('log.export', 'S')} retries.`;
    case 'unwritable':
      return `Can't write ${file}: ${outcome.reason}. Nothing was saved.`;
    case 'saved': {
      const { exported } = outcome;
      const kind = format === 'json' ? ' as JSON' : '';
      const size = formatBytes(exported.bytes);
      return `Saved ${lineCountText(exported.lines)}${kind}, ${size}, to ${file}.${gapsText(exported)}`;
    }
  }
}

function gapsText({ gaps, firstGap, lostAtEnd }: ExportResult): string {
  const end = lostAtEnd ? ' The last lines had left memory.' : '';
  if (firstGap === undefined) return end;
  const range = gapSentence(firstGap).replace(/^gap: /, '');
  const count = gaps === 1 ? ' 1 gap: ' : ` ${formatCount(gaps)} gaps, the first: `;
  return `${count}${range}.${end}`;
}
