import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { Pane } from '../../store/deck/screen/focus.ts';
import { useClickArea } from './click-map.ts';

/** An area of a pane in which a click focuses the pane. */
export function ClickPane(props: {
  readonly pane: Pane;
  readonly width: number;
  readonly children: ReactNode;
}) {
  const { pane, width, children } = props;
  const ref = useClickArea(() => ({ kind: 'pane', pane }));
  return (
    <Box ref={ref} flexDirection="column" width={width}>
      {children}
    </Box>
  );
}
