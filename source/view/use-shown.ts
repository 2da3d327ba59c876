import { useEffect } from 'react';
import { useConsole, usePainter } from './context.ts';

/**
 * Notes when what is drawn stands on the terminal: Enter is no answer before that.
 * @param what is another where one box follows another.
 */
export function useShown(what?: object): void {
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
    // A box that follows another is drawn in its place.
    // eslint-disable-next-line react/exhaustive-deps
  }, [console, painter, what]);
}
