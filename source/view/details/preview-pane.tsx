import { Box } from 'ink';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Lists } from '../../store/deck/lists.ts';
import type { Screen } from '../../store/deck/screen/screen.ts';
import { useDeck, useScreen } from '../parts/context.ts';
import { lacksDefinition, previewRows } from './details.ts';
import { Document } from '../parts/document.tsx';
import { Title } from '../parts/title.tsx';
import { useServiceNow } from '../parts/use-now.ts';

const grantPrefix = 'grant ';

/** Milliseconds before the details of the row under the cursor are shown. */
const previewDelay = 200;

/** Details beside the log of the row under the cursor; only a definition is fetched for them. */
export function PreviewPane(props: { readonly width: number; readonly height: number }) {
  const deck = useDeck();
  useStore(deck.deployments.list.state);
  useStore(deck.deployments.details);
  useStore(deck.grants.list.state);
  useStore(deck.grants.addressBook);
  const opened = useStore(deck.opened, (state) => state.id);
  const subject = useScreen((screen) => previewSubject(deck.lists, screen, opened));
  const settled = useSettled(subject);
  const now = useServiceNow(1000);
  const kind = settled.startsWith(grantPrefix) ? 'grant' : 'deployment';
  const id = settled.slice(settled.indexOf(' ') + 1);
  useEffect(() => {
    if (kind === 'deployment' && lacksDefinition(deck, id)) void deck.deployments.fetch(id);
  }, [deck, kind, id]);
  const rows = id === '' ? [] : previewRows(deck, { kind, id }, { now, width: props.width - 1 });
  // The name distinguishes the preview from Details of another deployment.
  const name = kind === 'grant' ? 'grant' : id === '' ? '' : deck.deployments.label(id);
  return (
    <Box flexDirection="column" width={props.width} height={props.height}>
      <Title text={`d Details ${name}`.trimEnd()} focused={false} width={props.width} />
      <Document
        count={rows.length}
        line={(index) => [{ text: ' ' }, ...(rows[index]?.line ?? [])]}
        top={0}
        left={0}
        wrap={false}
        width={props.width}
        height={props.height - 1}
      />
    </Box>
  );
}

/** Returns the subject of the preview as `kind id`: a string, so that it compares by value. */
function previewSubject(lists: Lists, { focus }: Screen, opened: string | undefined): string {
  if (focus === 'grants') return `${grantPrefix}${lists.grants.idUnderCursor() ?? ''}`;
  if (focus === 'deployments') return `deployment ${lists.deployments.idUnderCursor() ?? ''}`;
  return `deployment ${opened ?? ''}`;
}

/** Returns the last value that stayed unchanged for {@link previewDelay}. */
function useSettled(value: string): string {
  const { clock } = useDeck();
  const [settled, setSettled] = useState(value);
  useEffect(() => clock.after(previewDelay, () => setSettled(value)), [clock, value]);
  return settled;
}
