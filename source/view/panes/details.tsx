import { Box } from 'ink';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Console } from '../../store/console.ts';
import { cursorIndex } from '../../store/cursor.ts';
import { callerWallet } from '../../store/grants.ts';
import type { Screen } from '../../store/screen.ts';
import { useConsole, useScreen } from '../context.ts';
import { deploymentDetails } from '../deployment-rows.ts';
import { grantDetails } from '../grant-rows.ts';
import type { Line } from '../line.ts';
import { Document } from '../parts/document.tsx';
import { Title } from '../parts/title.tsx';
import { useNow } from '../use-now.ts';

const grantPrefix = 'grant ';

/** Milliseconds the cursor must rest on a row before its details are shown. */
const previewAfter = 200;

export type DetailsSubject = { readonly kind: 'deployment' | 'grant'; readonly id: string };

/** Beside the log: details of the row the cursor rests on. Opens nothing. */
export function PreviewPane(props: { readonly width: number; readonly height: number }) {
  const console = useConsole();
  useStore(console.deployments.list.state);
  useStore(console.grants.list.state);
  useStore(console.addressBook);
  const opened = useStore(console.opened, (state) => state.id);
  const subject = useScreen((screen) => previewSubject(console, screen, opened));
  const rested = useRested(subject);
  const now = useNow(1000);
  const kind = rested.startsWith(grantPrefix) ? 'grant' : 'deployment';
  const id = rested.slice(rested.indexOf(' ') + 1);
  const lines = id === '' ? [] : detailsLines(console, { kind, id }, now, 'listed');
  const title = kind === 'grant' ? 'Details grant' : 'Details';
  return (
    <Box flexDirection="column" width={props.width} height={props.height}>
      <Title text={title} focused={false} width={props.width} ruled={false} />
      <Document
        count={lines.length}
        line={(index) => [{ text: ' ' }, ...(lines[index] ?? [])]}
        top={0}
        left={0}
        wrap={false}
        width={props.width}
        height={props.height - 1}
      />
    </Box>
  );
}

/** What the details column speaks of, as `kind id`: a string, so that it compares by value. */
function previewSubject(console: Console, screen: Screen, opened: string | undefined): string {
  if (screen.focus === 'grants') {
    const ids = console.grants.list.state.getState().rows.map((row) => row.value.id);
    return `${grantPrefix}${ids[cursorIndex(ids, screen.cursors.grants)] ?? ''}`;
  }
  if (screen.focus === 'deployments') {
    const ids = console.deployments.list.state.getState().rows.map((row) => row.value.id);
    return `deployment ${ids[cursorIndex(ids, screen.cursors.deployments)] ?? ''}`;
  }
  return `deployment ${opened ?? ''}`;
}

/** The value once it has not changed for {@link previewAfter}. */
function useRested(value: string): string {
  const { clock } = useConsole();
  const [rested, setRested] = useState(value);
  useEffect(() => clock.after(previewAfter, () => setRested(value)), [clock, value]);
  return rested;
}

/**
 * Everything known of a deployment or grant; a word when it is gone. `fetched` prefers what "get
 * deployment" answered, which is only kept fresh while its view is open.
 */
export function detailsLines(
  console: Console,
  subject: DetailsSubject,
  now: number,
  prefer: 'listed' | 'fetched' = 'fetched',
): readonly Line[] {
  if (subject.kind === 'deployment') {
    const listed = console.deployments.list.state
      .getState()
      .rows.find((row) => row.value.id === subject.id);
    const fetched = console.deployments.details.getState().get(subject.id);
    const read = prefer === 'listed' ? (listed ?? fetched) : (fetched ?? listed);
    return read === undefined ? [[{ text: 'No longer listed.' }]] : deploymentDetails(read, now);
  }
  const { rows } = console.grants.list.state.getState();
  const read = rows.find((row) => row.value.id === subject.id);
  if (read === undefined) return [[{ text: 'No longer listed.' }]];
  const caller = callerWallet(rows, console.profile.wallet);
  const book = console.addressBook.getState();
  const rate = console.grantRates.rateOf(read.value.id);
  return grantDetails({ read, caller, book, rate }, console.serviceNow());
}
