import type { Deck } from '../../store/deck/deck.ts';
import type { RestartUndo, TrashState } from '../../store/drafts/trash-list.ts';
import { isDefinitionPlace, nameIn } from '../../store/drafts/places.ts';
import type { TrashBatch, TrashEntry } from '../../store/drafts/trash.ts';
import type { FilesPlace } from '../../store/files/files.ts';
import { fileCountText } from '../../store/restarts/sentences.ts';
import { column } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';
import { shortDateText } from '../text/unfinished.ts';

/** A change in the box, with its words. */
export interface TrashRow {
  readonly id: string;
  /** Time of the change, ms since the epoch. */
  readonly at: number;
  readonly undo:
    | { readonly kind: 'batch'; readonly batch: TrashBatch }
    | { readonly kind: 'restart'; readonly restart: RestartUndo };
  /** The change: `Deleted 100 files`. */
  readonly text: string;
  /** Its service, and the paths of its newest files. */
  readonly place: string;
}

const verbs = {
  deleted: 'Deleted',
  replaced: 'Replaced',
  saved: 'Saved',
  discarded: 'Discarded',
  moved: 'Moved',
} as const satisfies Record<TrashEntry['reason'], string>;

/** Paths in the words of a batch; no row has room for further ones. */
const mostPaths = 5;

/** Returns the changes of the box in which every typed word is found, newest first. */
export function trashRows(
  deck: Pick<Deck, 'deployments'>,
  { batches, restarts, narrow }: Pick<TrashState, 'batches' | 'restarts' | 'narrow'>,
): readonly TrashRow[] {
  const words = narrow.toLowerCase().split(' ');
  const isFound = (searched: string): boolean =>
    words.every((word) => searched.toLowerCase().includes(word));
  const rows = batches.flatMap((batch): readonly TrashRow[] => {
    const text = batchText(batch);
    const where = placeText(deck, batch[0]);
    if (!isFound([text, where, ...batch.map(({ path }) => path)].join(' '))) return [];
    const [{ id, at }] = batch;
    return [{ id, at, undo: { kind: 'batch', batch }, text, place: batchPlace(batch, where) }];
  });
  const found = restarts.map(restartRow).filter(({ text, place }) => isFound(`${text} ${place}`));
  return [...found, ...rows].toSorted((left, right) => right.at - left.at);
}

/** Returns the row of a restart: `Restart, worse (2 files)`. */
function restartRow(restart: RestartUndo): TrashRow {
  const { id, at, name, verdict, files } = restart;
  const paths = new Set(files.map(({ entry: { service, path } }) => `${service}/${path}`));
  const text = `Restart, ${verdict} (${fileCountText(paths.size)})`;
  const place = `${name}: ${[...paths].slice(0, mostPaths).join(', ')}`;
  return { id, at, undo: { kind: 'restart', restart }, text, place };
}

/** Returns the change that a batch undoes: `Deleted 100 files`, `Discarded the draft of app.yaml`. */
function batchText(batch: TrashBatch): string {
  const moved = batch.filter(({ reason }) => reason === 'moved');
  // A file that a move replaced is a part of the move.
  const entries = moved.length > 0 ? moved : batch;
  const [first = batch[0]] = entries;
  const isUniform = entries.every(({ reason }) => reason === first.reason);
  const verb = isUniform ? verbs[first.reason] : 'Changed';
  const isDrafts = isUniform && first.reason === 'discarded';
  if (entries.length === 1) return `${verb} ${isDrafts ? 'draft of ' : ''}${nameIn(first.path)}`;
  return `${verb} ${entries.length.toLocaleString('en')} ${isDrafts ? 'drafts' : 'files'}`;
}

function batchPlace(batch: TrashBatch, where: string): string {
  const paths = batch
    .slice(0, mostPaths)
    .map(({ path, movedTo }) => (movedTo === undefined ? path : `${path} to ${movedTo}`));
  return `${where} ${paths.join(', ')}`;
}

/** Returns the label of a service: `shop/web`; of a definition, that it is one. */
export function placeText(
  { deployments }: Pick<Deck, 'deployments'>,
  { deploymentId, service }: FilesPlace,
): string {
  if (isDefinitionPlace({ deploymentId })) return 'new deployment';
  return `${deployments.label(deploymentId)}/${service}`;
}

/** Cells of the change in a row; the place has the rest. */
const textWidth = 29;

/** Returns the row of a change: its time, the change and the place, which a sheet has no room for. */
export function trashLine(
  { at, text, place }: TrashRow,
  { now, hasCursor, isSheet }: { now: number; hasCursor: boolean; isSheet: boolean },
): Line {
  const token = hasCursor ? 'focus' : undefined;
  const time = `${hasCursor ? '>' : ' '} ${shortDateText(at, now)}  `;
  if (isSheet) return [span(time + text, token)];
  return [span(time + column(text, textWidth), token), span(place, token ?? 'quiet')];
}
