import type { Tail } from '../../store/deck/opened.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { Screen } from '../../store/deck/screen/screen.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { queryText } from './state-line.ts';

/** Services that are named; a title has no room for more. */
const mostNamed = 3;
const longestFilter = 20;

/** Which lines of the log are shown, for its title: `all services`, `web api &timeout`. */
export function shownLinesText(tail: Tail, screen: Screen): string {
  const { services } = tail.filter.state.getState();
  return `${services === undefined ? 'all services' : namesText(services)}${filterText(tail, screen)}`;
}

/** The same where there is little room: nothing unless lines are hidden. */
export function shortShownText(deck: Pick<Deck, 'screen' | 'opened'>): string {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return '';
  const { services } = tail.filter.state.getState();
  const names = services === undefined ? '' : `: ${namesText(services)}`;
  return `${names}${filterText(tail, deck.screen.getState())}`;
}

function namesText(services: ReadonlySet<string>): string {
  const names = [...services];
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`+${more}`] : [])].join(' ');
}

/** Where the keys go to the log, the row above them tells its filter. */
function filterText(tail: Tail, { focus, main }: Screen): string {
  const { query } = tail.filter.state.getState();
  if (query === undefined || (focus === 'main' && main.kind === 'logs')) return '';
  return ` ${truncateCells(queryText('filter', query), longestFilter)}`;
}
