import { keyName } from '../../store/prompts/key-names.ts';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { isOpened } from '../../store/deck/opened.ts';
import { visibleDeployments } from '../../store/deployments/visible.ts';
import { idsOf } from '../../store/lists/row-with-id.ts';
import { useDeck, useScreen } from '../parts/context.ts';
import { deploymentColumns, deploymentHeader, deploymentOrderAt } from './columns.ts';
import { deploymentLine, partialSentence, unmatchedSentence } from './rows.ts';
import { ListPaneBox, type PaneArea } from '../parts/list-pane.tsx';

/** Rows of the pane from which a row says that the list is not complete; its title says so too. */
const partialFrom = 6;

/** Pane 1: the deployments, with their pending restarts and batch steps. */
export function DeploymentsPane(area: PaneArea) {
  const deck = useDeck();
  const listing = useStore(deck.deployments.list.state);
  const opened = useStore(deck.opened);
  const restarts = useStore(deck.restarts.state);
  const proofs = useStore(deck.proofs.state);
  const batch = useStore(deck.deployments.batch.state);
  const marks = useScreen((screen) => screen.deploymentMarks);
  const filter = useScreen((screen) => screen.filters.deployments);
  const order = useScreen((screen) => screen.orders.deployments);
  const attention = useStore(deck.attention.state);
  const rows = visibleDeployments(listing.rows, filter, order, attention);
  const columns = useMemo(
    () =>
      deploymentColumns(
        rows,
        area.width,
        ({ id, state = '' }) => attention.conditions.get(id)?.word ?? state,
      ),
    [rows, area.width, attention],
  );
  return (
    <ListPaneBox
      area={area}
      pane="deployments"
      listing={listing}
      rows={rows}
      ids={idsOf(rows)}
      header={deploymentHeader(columns)}
      orderAt={(x) => deploymentOrderAt(columns, x)}
      line={(read, cursor, now) => {
        const { id } = read.value;
        const marked = marks.has(id);
        const restart = restarts.get(id);
        const condition = attention.conditions.get(id);
        const row = { read, cursor, opened: isOpened(opened, id), restart, condition };
        const proof = proofs.get(id);
        return deploymentLine({ ...row, proof, marked, batch }, columns, now);
      }}
      sentences={{
        empty: `No deployments on ${deck.profile.name}. ${keyName('deployments.create', 'a')} creates one.`,
        partial: area.height < partialFrom ? undefined : partialSentence(listing),
        unmatched: unmatchedSentence(listing),
      }}
    />
  );
}
