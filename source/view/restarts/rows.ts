import type { Deck } from '../../store/deck/deck.ts';
import type { ChangedFile } from '../../store/restarts/journal.ts';
import { fileCountText, secondsLeft } from '../../store/restarts/sentences.ts';
import { type Restart, unappliedChanges } from '../../store/restarts/state.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { column, wrapWords } from '../text/fit.ts';
import { atStop, type BoxStop, type Line, type Span, span } from '../text/line.ts';
import { pendingToken } from './text.ts';

/** A row of the box; `restart` is undefined where none is pending. */
export interface PendingRestartRow {
  readonly id: string;
  readonly label: string;
  readonly restart: Restart | undefined;
}

/** Returns all pending restarts, and the chosen row even when its restart has ended. */
export function pendingRestartRows(
  deck: Pick<Deck, 'deployments' | 'restarts'>,
  chosen: string,
): readonly PendingRestartRow[] {
  const restarts = deck.restarts.state.getState();
  const ids = restarts.has(chosen) ? [...restarts.keys()] : [chosen, ...restarts.keys()];
  return ids.map((id) => ({ id, label: deck.deployments.label(id), restart: restarts.get(id) }));
}

/** Cells at which names are cut, so that the state stays visible. */
const maxNameWidth = 20;

/** Returns one line for each restart: `> shop        4s left      web config/app.yaml nginx.conf`. */
export function restartRows(
  pending: readonly PendingRestartRow[],
  chosen: string | undefined,
): readonly Line[] {
  const name = nameWidth(pending);
  return pending.map((row, index) =>
    atStop(headOf(row, chosen, name).concat(span(factsText(row.restart))), stopOf(row, index)),
  );
}

/** Indent of the files of a restart in a narrow box. */
const factsIndent = '  ';

/** Returns one line for each restart without its files, which follow below the chosen one. */
export function restartSheetRows(
  pending: readonly PendingRestartRow[],
  chosen: string,
  width: number,
): readonly Line[] {
  const name = nameWidth(pending);
  return pending.flatMap((row, index) => {
    const head = [atStop(headOf(row, chosen, name), stopOf(row, index))];
    const facts = row.id === chosen ? factsText(row.restart) : '';
    if (facts === '') return head;
    const below = wrapWords([span(facts)], width - factsIndent.length);
    return head.concat(below.map((line) => [span(factsIndent)].concat(line)));
  });
}

/** Returns the place of a restart in the list, for clicks. */
function stopOf({ id }: PendingRestartRow, index: number): BoxStop {
  return { kind: 'row', index, name: id };
}

function nameWidth(pending: readonly PendingRestartRow[]): number {
  const longest = Math.max(10, ...pending.map(({ label }) => label.length));
  return Math.min(longest, maxNameWidth) + 2;
}

/** Returns name and state: `> shop        4s left`. */
function headOf(
  { id, label, restart }: PendingRestartRow,
  chosen: string | undefined,
  name: number,
): Span[] {
  return [
    span(`${id === chosen ? '>' : ' '} ${column(label, name)}`),
    span(column(stateText(restart), 13), restart === undefined ? 'quiet' : pendingToken(restart)),
  ];
}

function stateText(restart: Restart | undefined): string {
  switch (restart?.kind) {
    case 'counting':
      return restart.left === 0 ? 'waiting' : `${secondsLeft(restart.left)} left`;
    case 'unapplied':
    case 'owed':
      return 'unapplied';
    case 'unknown':
      return 'unconfirmed';
    case undefined:
      return 'unchanged';
    case 'restarting':
    case 'failed':
      return restart.kind;
  }
}

function factsText(restart: Restart | undefined): string {
  if (restart === undefined) return '';
  const { files = [] } = unappliedChanges(restart) ?? {};
  const count = files.length === 0 ? [] : [fileCountText(files.length)];
  switch (restart.kind) {
    case 'counting':
      return fileNames(files);
    case 'restarting':
      return [`sent at ${shortTime(restart.since)}`, ...count].join(', ');
    case 'failed':
    case 'unknown': {
      const { status, code } = restart.error;
      return [`${status ?? code} at ${shortTime(restart.at)}`, ...count].join(', ');
    }
    case 'owed':
      return [...count, `since ${shortTime(restart.changes.since)}`].join(', ');
    case 'unapplied':
      return count.join(', ');
  }
}

/** Returns the files by service: `web config/app.yaml nginx.conf`. */
function fileNames(files: readonly ChangedFile[]): string {
  const services = [...new Set(files.map(({ service }) => service))];
  return services
    .map((service) => {
      const paths = files.filter((file) => file.service === service).map(({ path }) => path);
      return [service, ...paths].join(' ');
    })
    .join(', ');
}

/** Returns the time of day without seconds: `11:58`. */
function shortTime(at: number): string {
  return formatTimeOfDay(at).slice(0, 5);
}
