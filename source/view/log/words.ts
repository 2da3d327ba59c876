/** The log in words. */
import { eventStream } from '../../contract/event-lines.ts';
import type { LogLine } from '../../contract/logs.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { isUtcFormat, timeOfDayText } from '../../store/log/times.ts';
import type { Tail } from '../../store/log/tail.ts';
import type { Entry } from '../../tail/arena/entries.ts';
import { silentCodes, stripSilentCodes, truncateRawText } from '../../tail/silent-codes.ts';
import { sanitizeColoured } from '../../terminal/screen/coloured-text.ts';
import { spansText } from '../text/fit.ts';
import { jsonRecord } from '../text/json-record.ts';
import { gapText } from './gap.ts';
import { logMembers } from './members.ts';
import { queryCountText } from './state-line.ts';

type Handles = Pick<Deck, 'deployments' | 'opened' | 'screen'>;

/** Longest text of a line that is said, in characters; a line may have a megabyte. */
const longestText = 1000;

/** Returns the service and the text of an entry, without colours. */
export function entryWords(deck: Handles, tail: Tail, entry: Entry<LogLine>): string {
  const member = logMembers(deck, tail)[entry.member ?? -1]?.label;
  if (entry.kind === 'gap') return gapText(entry, member);
  const { serviceName, instance, stream } = entry.line;
  const from = [member, serviceName, instance === undefined ? undefined : String(instance)]
    .filter((word) => word !== undefined && word !== '')
    .join(' ');
  const hasSeveral = tail.log.services().length > 1 || member !== undefined;
  const isNamed = from !== '' && (hasSeveral || stream === eventStream);
  return `${isNamed ? `${from}: ` : ''}${lineText(deck, entry.line)}`;
}

function lineText({ screen }: Pick<Deck, 'screen'>, line: LogLine): string {
  const { logLine } = line;
  const visible = truncateRawText(logLine, longestText);
  const record =
    screen.getState().rawJson || logLine.length > longestText
      ? undefined
      : jsonRecord(stripSilentCodes(logLine), [], undefined, line.timestamp !== undefined);
  const text =
    record === undefined
      ? spansText(sanitizeColoured(visible, silentCodes(visible)))
      : spansText(record);
  return visible.length < logLine.length ? `${text}, cut` : text;
}

/** Returns the line under the cursor of a paused log, with its time and its place among the matches. */
export function cursorWords(
  deck: Handles,
  tail: Tail,
): { readonly seq: number; readonly text: string } | undefined {
  const position = tail.view.position.getState();
  if (position.kind === 'following') return undefined;
  const { entries } = tail;
  const entry = entries.at(Math.min(entries.indexOf(position.cursor), entries.length - 1));
  if (entry === undefined) return undefined;
  const at = entry.kind === 'line' ? Date.parse(entry.line.timestamp ?? '') : Number.NaN;
  const { times } = deck.screen.getState();
  const time =
    times === 'off' || Number.isNaN(at) ? '' : `, ${timeOfDayText(at, isUtcFormat(times))}`;
  const search = tail.search.state.getState();
  const match = search.at === entry.seq ? `, ${queryCountText(tail, 'search')}` : '';
  return { seq: entry.seq, text: `${entryWords(deck, tail, entry)}${time}${match}` };
}
