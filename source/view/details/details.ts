import type { Deck } from '../../store/deck/deck.ts';
import { cursorIndex } from '../../store/lists/cursor.ts';
import type { ListPane } from '../../store/lists/list-panes.ts';
import { memoizeLast } from '../../store/lists/memoize-last.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import type { MainView } from '../../store/deck/screen/main-view.ts';
import { deploymentDetails } from '../deployments/details.ts';
import { deploymentPreview } from '../deployments/preview.ts';
import type { DetailRow } from '../text/detail-rows.ts';
import { grantDetails } from '../grants/details.ts';
import { plain } from '../text/line.ts';
import { lineDetailsNow, lineToColour } from '../log/details.ts';
import { answerLines } from '../text/notice.ts';
import { jsonDetails, formattedJson } from './raw.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';

/** Tells whether a deployment is listed without its definition, and none was fetched. */
export function lacksDefinition(deck: Pick<Deck, 'deployments'>, id: string): boolean {
  const { list, details } = deck.deployments;
  const listed = rowWithId(list.state.getState().rows, id);
  return listed !== undefined && listed.value.sdl === undefined && !details.getState().has(id);
}

/** A subject of Details. */
export type DetailsSubject = Extract<
  MainView,
  { kind: 'deployment' | 'grant' | 'answer' | 'line' }
>;

const removedRows: readonly DetailRow[] = [{ key: 'gone', line: plain('Not listed.') }];

/**
 * Returns the rows of Details; a single row when the subject is not listed any more.
 * @param now ms since the epoch, by the clock of the service.
 */
export function detailRows(
  deck: Pick<Deck, 'clock' | 'lists' | 'deployments' | 'files' | 'opened' | 'grants' | 'colours'>,
  subject: DetailsSubject,
  now: number,
): readonly DetailRow[] {
  if (subject.kind === 'answer') return answerRows(deck, subject.pane);
  const colours = deck.colours.state.getState();
  if (subject.kind === 'line') return lineDetailsNow(deck, subject);
  if (subject.raw === true) {
    const record = recordOf(deck, subject);
    return record === undefined
      ? removedRows
      : jsonDetails(record, colours.get(formattedJson(record)));
  }
  if (subject.kind === 'deployment') {
    const record = deploymentRecord(deck, subject.id, 'fetched');
    if (record === undefined) return removedRows;
    return deploymentDetails(record, now, colours.get(record.value.sdl ?? ''));
  }
  const { rows } = deck.grants.list.state.getState();
  const record = rowWithId(rows, subject.id);
  if (record === undefined) return removedRows;
  const caller = deck.grants.wallet();
  const book = deck.grants.addressBook.getState();
  const rate = deck.grants.rates.rateOf(record.value.id);
  return grantDetails({ read: record, caller, book, rate }, now);
}

/** Returns the rows of a deployment or a grant beside the log, in a column of `width` cells. */
export function previewRows(
  deck: Parameters<typeof detailRows>[0],
  subject: Extract<DetailsSubject, { kind: 'deployment' | 'grant' }>,
  { now, width }: { readonly now: number; readonly width: number },
): readonly DetailRow[] {
  if (subject.kind === 'grant') return detailRows(deck, subject, now);
  const record = deploymentRecord(deck, subject.id, 'listed');
  if (record === undefined) return removedRows;
  const colours = deck.colours.state.getState().get(record.value.sdl ?? '');
  return deploymentPreview(record, { now, caller: deck.grants.wallet(), width, colours });
}

/** Returns the text in Details that is highlighted, with its language. */
export function textToHighlight(
  deck: Pick<Deck, 'deployments' | 'grants'>,
  subject: DetailsSubject,
): { readonly text: string; readonly language: 'yaml' | 'json' } | undefined {
  if (subject.kind === 'answer') return undefined;
  if (subject.kind === 'line') {
    const text = lineToColour(subject);
    return text === undefined ? undefined : { text, language: 'json' };
  }
  if (subject.raw === true) {
    const record = recordOf(deck, subject);
    return record === undefined ? undefined : { text: formattedJson(record), language: 'json' };
  }
  if (subject.kind === 'grant') return undefined;
  const text = deploymentRecord(deck, subject.id, 'fetched')?.value.sdl;
  return text === undefined ? undefined : { text, language: 'yaml' };
}

/** Returns the row under the cursor of Details; undefined where pane 4 shows another view. */
export function detailUnderCursor(
  deck: Pick<
    Deck,
    'lists' | 'clock' | 'screen' | 'deployments' | 'files' | 'opened' | 'grants' | 'colours'
  >,
): DetailRow | undefined {
  const { main, detailCursor } = deck.screen.getState();
  if (!isDetails(main)) return undefined;
  const rows = detailRows(deck, main, deck.clock.serviceNow());
  return rows[
    cursorIndex(
      rows.map(({ key }) => key),
      detailCursor,
    )
  ];
}

const detailKinds: ReadonlySet<MainView['kind']> = new Set<DetailsSubject['kind']>([
  'deployment',
  'grant',
  'answer',
  'line',
]);

export function isDetails(main: MainView): main is DetailsSubject {
  return detailKinds.has(main.kind);
}

/** `J`: shows the record as JSON, and back. */
export function toggleRaw(deck: Pick<Deck, 'screen'>): void {
  deck.screen.view.toggleRaw();
}

function recordOf(
  deck: Pick<Deck, 'deployments' | 'grants'>,
  subject: Exclude<DetailsSubject, { kind: 'answer' | 'line' }>,
): DecodedRecord<object> | undefined {
  if (subject.kind === 'deployment') return deploymentRecord(deck, subject.id, 'fetched');
  return rowWithId(deck.grants.list.state.getState().rows, subject.id);
}

/** Adds the definition, which lists may leave out and which seldom changes. */
const withDefinition = memoizeLast(
  (listed: DecodedRecord<Deployment>, sdl: string | undefined): DecodedRecord<Deployment> =>
    listed.value.sdl !== undefined || sdl === undefined
      ? listed
      : { ...listed, value: { ...listed.value, sdl } },
);

/**
 * Returns a deployment as it was listed, or as it was `fetched`: the answer of "get deployment" is
 * refreshed only while its view is open.
 */
function deploymentRecord(
  deck: Pick<Deck, 'deployments'>,
  id: string,
  prefer: 'listed' | 'fetched',
) {
  const { rows } = deck.deployments.list.state.getState();
  const listed = rowWithId(rows, id);
  const fetched = deck.deployments.details.getState().get(id);
  if (prefer === 'fetched' || listed === undefined) return fetched ?? listed;
  return withDefinition(listed, fetched?.value.sdl);
}

/** Returns the answer of a list that could not be decoded. */
function answerRows({ lists }: Pick<Deck, 'lists'>, pane: ListPane): readonly DetailRow[] {
  const { error } = lists[pane].listing();
  return answerLines(error).map((line, index) => ({
    key: `${index}`,
    line,
    value: line.map(({ text }) => text).join(''),
    whole: error?.answer,
  }));
}
