import { keyName } from '../../store/prompts/key-names.ts';
import { useStore } from 'zustand';
import { visibleGrants } from '../../store/grants/visible.ts';
import { idsOf } from '../../store/lists/row-with-id.ts';
import { formatCount } from '../text/amount.ts';
import { useDeck, useScreen } from '../parts/context.ts';
import { grantColumns, grantHeader, grantOrderAt } from './columns.ts';
import { grantLine } from './rows.ts';
import { ListPaneBox, type PaneArea } from '../parts/list-pane.tsx';

/** Pane 3: grants given and received. Their states follow the service's clock without a refetch. */
export function GrantsPane(area: PaneArea) {
  const deck = useDeck();
  const listing = useStore(deck.grants.list.state);
  const filter = useScreen((screen) => screen.filters.grants);
  const book = useStore(deck.grants.addressBook);
  const order = useScreen((screen) => screen.orders.grants);
  const caller = deck.grants.wallet();
  const rows = visibleGrants(listing.rows, filter, deck.clock.serviceNow(), book, order, caller);
  const columns = grantColumns(area.width);
  return (
    <ListPaneBox
      area={area}
      pane="grants"
      listing={listing}
      rows={rows}
      ids={idsOf(rows)}
      header={grantHeader(columns)}
      orderAt={(x) => grantOrderAt(columns, x)}
      line={(read, cursor, now) => {
        const rate = deck.grants.rates.rateOf(read.value.id);
        return grantLine({ read, cursor, caller, book, rate }, columns, now);
      }}
      sentences={{
        empty: `No grants. ${keyName('grants.create', 'a')} lends part of your balance.`,
        unmatched: `0 of ${formatCount(listing.rows.length)} grants match. Esc clears the filter.`,
      }}
    />
  );
}
