import { useEffect } from 'react';
import { useConsole, usePainter } from './context.ts';

/** Notes when the box that is drawn stands on the terminal: Enter is no answer before that. */
export function useShown(): void {
  const console = useConsole();
  const painter = usePainter();
  useEffect(() => {
    const shown = () =>
      console.screen.setState(({ overlay }) =>
        overlay !== undefined && 'shownAt' in overlay
          ? { overlay: { ...overlay, shownAt: console.clock.now() } }
          : {},
      );
    if (painter === undefined) shown();
    else painter.afterShown(shown);
  }, [console, painter]);
}
