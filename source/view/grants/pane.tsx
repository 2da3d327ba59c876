import { useStore } from 'zustand';
import { idsOf, visibleGrants } from '../../store/deck/visible.ts';
import { formatCount } from '../text/amount.ts';
import { useConsole, useScreen } from '../parts/context.ts';
import { grantLine } from './rows.ts';
import { ListPane, type PaneArea } from '../parts/list-pane.tsx';

/** Pane 3: grants given and received. Their states follow the service's clock without a refetch. */
export function GrantsPane(area: PaneArea) {
  const console = useConsole();
  const listing = useStore(console.grants.list.state);
  const filter = useScreen((screen) => screen.filters.grants);
  const book = useStore(console.addressBook);
  const order = useScreen((screen) => screen.orders.grants);
  const caller = console.grants.wallet();
  const rows = visibleGrants(listing.rows, filter, console.serviceNow(), book, order, caller);
  return (
    <ListPane
      area={area}
      pane="grants"
      listing={listing}
      rows={rows}
      ids={idsOf(rows)}
      line={(read, cursor) => {
        const rate = console.grantRates.rateOf(read.value.id);
        return grantLine({ read, cursor, caller, book, rate }, area.width, console.serviceNow());
      }}
      sentences={{
        empty: 'No grants. a lends part of your balance.',
        unmatched: `0 of ${formatCount(listing.rows.length)} grants match. Esc clears the filter.`,
      }}
    />
  );
}
