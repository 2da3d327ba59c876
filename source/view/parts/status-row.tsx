import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Tail } from '../../store/console.ts';
import { useConsole, useScreen } from '../context.ts';
import { statusLine } from '../status.ts';
import { logStatus, mainTitle, restartTexts } from '../subject.ts';
import { useNow } from '../use-now.ts';
import { Row } from './row.tsx';

/** Draws anew when the connection of the log changes, which is worth more than the next second. */
function useConnection(tail: Tail | undefined): void {
  const subscribe = useCallback(
    (changed: () => void) => tail?.log.state.subscribe(changed) ?? (() => {}),
    [tail],
  );
  useSyncExternalStore(subscribe, () => tail?.log.state.getState().connection);
}

/** Row 1: always there, whatever fills the screen below it. */
export function StatusRow({ width }: { readonly width: number }) {
  const console = useConsole();
  const reach = useStore(console.refresh.reach);
  useStore(console.restarts.state);
  useConnection(useStore(console.opened, (opened) => opened.tail));
  const fullscreen = useScreen((screen) => screen.fullscreen);
  const now = useNow(1000);
  const line = statusLine(
    {
      profile: console.profile,
      subject: fullscreen ? mainTitle(console, true) : undefined,
      reach,
      restarts: restartTexts(console),
      log: logStatus(console, now),
      now,
    },
    width,
  );
  return <Row line={line} width={width} />;
}
