import type { HistoryEntry, Outcome, WriteEntry } from '../../store/history/history.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { wrapLine, wrapWords } from '../text/fit.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { Token } from '../text/theme.ts';

/** Cells before the text: a margin, the time of day and a space. */
const indent = 10;

/** Maximum length of a text in cells. */
const maxTextWidth = 1000;

/** Rows of each entry, for the width of the last call. */
const rowCache = new WeakMap<
  HistoryEntry,
  { readonly width: number; readonly rows: readonly Line[] }
>();

/** Returns the entries, newest last, as rows of at most `width` cells, with a row for each new day. */
export function historyRows(entries: readonly HistoryEntry[], width: number): readonly Line[] {
  const rows: Line[] = [];
  let day = '';
  for (const entry of entries) {
    const today = dayOf(entry.at);
    if (day !== '' && today !== day) rows.push([span(` -- ${today} --`, 'quiet')]);
    day = today;
    const cached = rowCache.get(entry);
    const own = cached?.width === width ? cached.rows : entryRows(entry, width);
    if (own !== cached?.rows) rowCache.set(entry, { width, rows: own });
    rows.push(...own);
  }
  return rows.length === 0 ? [[span(' No writes or messages yet.', 'quiet')]] : rows;
}

/** Returns each entry as one line of text, uncut. */
export function historyLines(entries: readonly HistoryEntry[]): readonly string[] {
  return entries.map(
    (entry) => `${dayOf(entry.at)} ${formatTimeOfDay(entry.at)} ${historyText(entry)}`,
  );
}

/** Returns an entry without its time as one line of text, uncut. */
export function historyText(entry: HistoryEntry): string {
  return entryLines(entry)
    .map((line) => line.map(({ text }) => text).join(''))
    .join(' ');
}

function entryRows(entry: HistoryEntry, width: number): readonly Line[] {
  const room = Math.max(1, width - indent);
  return entryLines(entry)
    .flatMap((line, index, all) => {
      // The path of a request has no spaces, so it breaks anywhere.
      const isRequest = entry.kind === 'write' && index === all.length - 1;
      return (isRequest ? wrapLine : wrapWords)(line.map(safeSpan), room);
    })
    .map((row, index) => {
      const time = ` ${formatTimeOfDay(entry.at)} `;
      return [index === 0 ? span(time, 'info') : span(' '.repeat(indent))].concat(row);
    });
}

/** Sanitizes a span once, which makes the sanitizing of each wrapped row fast. */
function safeSpan({ text, ...rest }: Span): Span {
  return { ...rest, text: truncateCells(sanitize(text.slice(0, 4 * maxTextWidth)), maxTextWidth) };
}

function entryLines(entry: HistoryEntry): readonly Line[] {
  if (entry.kind === 'write') return writeLines(entry);
  const { text, tone, times } = entry;
  const message = span(text, tone === 'plain' ? undefined : tone);
  return [times === 1 ? [message] : [message, span(` (${times} times)`, 'quiet')]];
}

function writeLines({ operation, subject, request, size, outcome, took }: WriteEntry) {
  const sentRequest = size === undefined ? request : `${request}, ${formatBytes(size)}`;
  const details = 'said' in outcome ? outcome.said : undefined;
  return [
    [span(`${operation} ${subject}: `), span(...outcomeWords(outcome, took ?? 0))],
    ...(details === undefined ? [] : [[span(`the service said: ${details}`, 'bad')]]),
    [span(sentRequest, 'quiet')],
  ];
}

function outcomeWords(outcome: Outcome, took: number): readonly [string, Token] {
  const after = formatDuration(took);
  switch (outcome.kind) {
    case 'sending':
      return ['sent, no answer yet', 'busy'];
    case 'done':
      return [`${outcome.status ?? 'done'} in ${after}`, 'good'];
    case 'failed':
      return [
        `${outcome.status ?? outcome.code ?? 'failed'} in ${after}. ${outcome.sentence}`,
        'bad',
      ];
    case 'unknown': {
      const status = outcome.status === undefined ? '' : `${outcome.status}, `;
      return [`${status}unknown after ${after}. ${outcome.sentence}`, 'bad'];
    }
  }
}

/** Returns milliseconds as `12ms` or `1.2s`. */
function formatDuration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)}ms`
    : `${(milliseconds / 1000).toFixed(1)}s`;
}

/** Returns the local date: `2026-11-21`. */
function dayOf(at: number): string {
  const date = new Date(at);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${date.getFullYear()}-${month}-${day}`;
}
