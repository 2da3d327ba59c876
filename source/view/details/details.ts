import type { Deck } from '../../store/deck/deck.ts';
import { cursorIndex } from '../../store/lists/cursor.ts';
import type { DecodedRecord } from '../../store/lists/listing.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import type { MainView } from '../../store/deck/screen/main-view.ts';
import { deploymentDetails } from '../deployments/details.ts';
import type { DetailRow } from '../text/detail-rows.ts';
import { grantDetails } from '../grants/rows.ts';
import { plain } from '../text/line.ts';
import { deploymentOf, lineDetails, lineNow, lineToColour } from '../log/details.ts';
import { answerLines } from '../text/notice.ts';
import { rawDetails, rawShown } from './raw.ts';

/** What Details can be about. */
export type DetailsSubject = Extract<
  MainView,
  { kind: 'deployment' | 'grant' | 'answer' | 'line' }
>;

const gone: readonly DetailRow[] = [{ key: 'gone', line: plain('No longer listed.') }];

/**
 * The rows of Details; a word when what they are about is gone. `fetched` prefers what "get
 * deployment" answered, which is only kept fresh while its view is open.
 */
export function detailRows(
  deck: Pick<Deck, 'clock' | 'deployments' | 'opened' | 'files' | 'grants' | 'colours'>,
  subject: DetailsSubject,
  now: number,
  prefer: 'listed' | 'fetched' = 'fetched',
): readonly DetailRow[] {
  if (subject.kind === 'answer') return answerRows(deck, subject.pane);
  const colours = deck.colours.state.getState();
  if (subject.kind === 'line') {
    const name = deck.deployments.label(deploymentOf(subject));
    return lineDetails(lineNow(deck, subject), name, colours.get(lineToColour(subject) ?? ''));
  }
  if (subject.raw === true) {
    const read = readOf(deck, subject, prefer);
    return read === undefined ? gone : rawDetails(read, colours.get(rawShown(read)));
  }
  if (subject.kind === 'deployment') {
    const read = deploymentRead(deck, subject.id, prefer);
    if (read === undefined) return gone;
    return deploymentDetails(read, now, colours.get(read.value.sdl ?? ''));
  }
  const { rows } = deck.grants.list.state.getState();
  const read = rowWithId(rows, subject.id);
  if (read === undefined) return gone;
  const caller = deck.grants.wallet();
  const book = deck.grants.addressBook.getState();
  const rate = deck.grants.rates.rateOf(read.value.id);
  return grantDetails({ read, caller, book, rate }, deck.clock.serviceNow());
}

/** What of the rows has colours. */
export function textToColour(
  deck: Pick<Deck, 'deployments' | 'grants'>,
  subject: DetailsSubject,
): { readonly text: string; readonly language: 'yaml' | 'json' } | undefined {
  if (subject.kind === 'answer') return undefined;
  if (subject.kind === 'line') {
    const text = lineToColour(subject);
    return text === undefined ? undefined : { text, language: 'json' };
  }
  if (subject.raw === true) {
    const read = readOf(deck, subject, 'fetched');
    return read === undefined ? undefined : { text: rawShown(read), language: 'json' };
  }
  if (subject.kind === 'grant') return undefined;
  const text = deploymentRead(deck, subject.id, 'fetched')?.value.sdl;
  return text === undefined ? undefined : { text, language: 'yaml' };
}

/** The row under the cursor of Details; undefined where pane 4 shows something else. */
export function detailUnderCursor(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'opened' | 'files' | 'grants' | 'colours'>,
): DetailRow | undefined {
  const { main, detailCursor } = deck.screen.getState();
  if (!isDetails(main)) return undefined;
  const rows = detailRows(deck, main, deck.clock.now());
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

/** `J`: the record as JSON, and back. */
export function toggleRaw(deck: Pick<Deck, 'screen'>): void {
  deck.screen.view.toggleRaw();
}

function readOf(
  deck: Pick<Deck, 'deployments' | 'grants'>,
  subject: Exclude<DetailsSubject, { kind: 'answer' | 'line' }>,
  prefer: 'listed' | 'fetched',
): DecodedRecord<object> | undefined {
  if (subject.kind === 'deployment') return deploymentRead(deck, subject.id, prefer);
  return rowWithId(deck.grants.list.state.getState().rows, subject.id);
}

function deploymentRead(deck: Pick<Deck, 'deployments'>, id: string, prefer: 'listed' | 'fetched') {
  const { rows } = deck.deployments.list.state.getState();
  const listed = rowWithId(rows, id);
  const fetched = deck.deployments.details.getState().get(id);
  return prefer === 'listed' ? (listed ?? fetched) : (fetched ?? listed);
}

/** What a service answered where a list could not be read. */
function answerRows(
  deck: Pick<Deck, 'deployments' | 'files' | 'grants'>,
  pane: Extract<DetailsSubject, { kind: 'answer' }>['pane'],
): readonly DetailRow[] {
  const { error } = deck[pane].list.state.getState();
  return answerLines(error).map((line, index) => ({
    key: `${index}`,
    line,
    value: line.map(({ text }) => text).join(''),
    whole: error?.answer,
  }));
}
