import type { Deck } from '../../store/deck/deck.ts';
import { firstOrders, orderText } from '../../store/lists/order.ts';
import type { ListPane } from '../../store/lists/list-panes.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { formatCount } from '../text/amount.ts';
import { lineWidth } from '../text/fit.ts';
import { plain } from '../text/line.ts';

/**
 * Returns the title of a list with its row count, order and filter: `1 Deployments 4/312 by age
 * /shop`, or `1 Deployments 1,000 of 5,012` where the service leaves rows out. In less than `room`
 * cells, the order and the rest of the name are dropped, and the count for the time of rows that may
 * be out of date; the filter always stays, because it hides rows.
 */
export function listTitle(
  deck: Pick<Deck, 'screen' | 'lists' | 'refresh'>,
  pane: ListPane,
  names: readonly [string, ...string[]],
  room = Number.POSITIVE_INFINITY,
): string {
  const list = deck.lists[pane];
  const listing = list.listing();
  const { filters, orders } = deck.screen.getState();
  const filter = filters[pane];
  const name = names.join(' ');
  if (listing.loadedAt === undefined) return name;
  const isCounted = filter !== '' && !list.hasFolders;
  const shown = isCounted ? `${formatCount(list.ids().length)}/` : '';
  const stale = pane === 'deployments' && deck.refresh.reach.getState().kind === 'away';
  const asOf = stale ? `, as of ${formatTimeOfDay(listing.loadedAt)}` : '';
  const { rows, unlisted } = listing;
  const total = unlisted === 0 ? '' : ` of ${formatCount(rows.length + unlisted)}`;
  const rowCount = ` ${shown}${formatCount(rows.length)}${total}`;
  const isLong = asOf !== '' && lineWidth(plain(`${name}${rowCount}${asOf}`)) > room;
  const count = isLong ? asOf : `${rowCount}${asOf}`;
  const order = orders[pane] === firstOrders[pane] ? '' : ` by ${orderText(orders[pane])}`;
  const whole = `${name}${count}${order}`;
  if (filter === '') return whole;
  const starts = [whole, `${name}${count}`];
  const start = starts.find((one) => lineWidth(plain(`${one} /${filter}`)) <= room);
  return `${start ?? `${names[0]}${count}`} /${filter}`;
}
