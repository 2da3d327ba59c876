import type { HistoryEntry, Outcome, WriteEntry } from '../../store/history/history.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { formatBytes } from '../text/amount.ts';
import { wrapLine, wrapWords } from '../text/fit.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { Token } from '../text/theme.ts';

/** Cells before the words: a gutter, the time of day and a space. */
const indent = 10;

/** Cells of one text that are shown. */
const mostShown = 1000;

/** The rows of each entry in the width they were last laid in. */
const laid = new WeakMap<
  HistoryEntry,
  { readonly width: number; readonly rows: readonly Line[] }
>();

/** What was done and said, newest last, in rows of at most `width` cells; a row where a day begins. */
export function historyRows(entries: readonly HistoryEntry[], width: number): readonly Line[] {
  const rows: Line[] = [];
  let day = '';
  for (const entry of entries) {
    const today = dayOf(entry.at);
    if (day !== '' && today !== day) rows.push([span(` -- ${today} --`, 'quiet')]);
    day = today;
    const known = laid.get(entry);
    const own = known?.width === width ? known.rows : entryRows(entry, width);
    if (own !== known?.rows) laid.set(entry, { width, rows: own });
    rows.push(...own);
  }
  return rows.length === 0 ? [[span(' Nothing was done or said yet.', 'quiet')]] : rows;
}

/** What was done and said as text, a line for each, whole. */
export function historyLines(entries: readonly HistoryEntry[]): readonly string[] {
  return entries.map((entry) => {
    const words = parts(entry).map((line) => line.map(({ text }) => text).join(''));
    return [dayOf(entry.at), formatTimeOfDay(entry.at)].concat(words).join(' ');
  });
}

function entryRows(entry: HistoryEntry, width: number): readonly Line[] {
  const room = Math.max(1, width - indent);
  return parts(entry)
    .flatMap((line, index, all) => {
      // The path of a request is one word, and breaks anywhere.
      const isRequest = entry.kind === 'write' && index === all.length - 1;
      return (isRequest ? wrapLine : wrapWords)(line.map(shown), room);
    })
    .map((row, index) => {
      const time = ` ${formatTimeOfDay(entry.at)} `;
      return [index === 0 ? span(time, 'info') : span(' '.repeat(indent))].concat(row);
    });
}

/** Made safe once: wrapping does it again for each row, which is quick with what is safe. */
function shown({ text, ...rest }: Span): Span {
  return { ...rest, text: truncateCells(sanitize(text.slice(0, 4 * mostShown)), mostShown) };
}

function parts(entry: HistoryEntry): readonly Line[] {
  if (entry.kind === 'write') return writeParts(entry);
  const { text, tone, times } = entry;
  const said = span(text, tone === 'plain' ? undefined : tone);
  return [times === 1 ? [said] : [said, span(` (${times} times)`, 'quiet')]];
}

function writeParts({ operation, subject, request, size, outcome, took }: WriteEntry) {
  const sent = size === undefined ? request : `${request}, ${formatBytes(size)}`;
  const said = 'said' in outcome ? outcome.said : undefined;
  return [
    [span(`${operation} ${subject}: `), span(...outcomeWords(outcome, took ?? 0))],
    ...(said === undefined ? [] : [[span(`the service said: ${said}`, 'bad')]]),
    [span(sent, 'quiet')],
  ];
}

function outcomeWords(outcome: Outcome, took: number): readonly [string, Token] {
  const after = formatTook(took);
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

/** `12ms`, `1.2s`. */
function formatTook(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)}ms`
    : `${(milliseconds / 1000).toFixed(1)}s`;
}

/** Local date: `2026-11-21`. */
function dayOf(at: number): string {
  const date = new Date(at);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${date.getFullYear()}-${month}-${day}`;
}
