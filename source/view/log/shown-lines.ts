import type { Tail } from '../../store/deck/opened.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { Screen } from '../../store/deck/screen/screen.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { queryText } from './state-line.ts';

/** Most services named in a title. */
const mostNamed = 3;
const longestFilter = 20;

/** Returns the services and filter of the log for its title, as `web api &timeout`. */
export function shownLinesText(tail: Tail, screen: Screen): string {
  const { services } = tail.filter.state.getState();
  return `${services === undefined ? 'all services' : namesText(services)}${filterText(tail, screen)}`;
}

/** Returns a short form for narrow titles; empty when all lines are shown. */
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

/** Returns the filter; empty while the log is focused, because the row above the keys shows it. */
function filterText(tail: Tail, { focus, main }: Screen): string {
  const { query } = tail.filter.state.getState();
  if (query === undefined || (focus === 'main' && main.kind === 'logs')) return '';
  return ` ${truncateCells(queryText('filter', query), longestFilter)}`;
}
