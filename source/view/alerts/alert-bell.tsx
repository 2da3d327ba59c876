import { useEffect } from 'react';
import { useDeck } from '../parts/context.ts';

/** Rings the terminal's bell once for all alerts that begin at the same time. Draws nothing. */
export function AlertBell({ ring }: { readonly ring: () => void }): undefined {
  const { alerts, screen } = useDeck();
  useEffect(() => {
    const ringIfWanted = (): void => {
      if (screen.getState().hasBell) ring();
    };
    if (alerts.state.getState().length > 0) ringIfWanted();
    return alerts.state.subscribe((now, before) => {
      if (now.some((alert) => !before.includes(alert))) ringIfWanted();
    });
  }, [alerts, screen, ring]);
}
