import type { Deck } from '../../store/deck/deck.ts';
import { confirmBox, type Confirmation } from '../../store/prompts/confirm.ts';
import type { Overlay } from '../../store/deck/screen/overlay.ts';

/**
 * Opens a confirmation box and resolves with the chosen option. The box waits until an open overlay
 * closes, so that typed text is neither lost nor used as an answer.
 */
export function confirm(
  deck: Pick<Deck, 'screen'>,
  question: Omit<Confirmation, 'answer'>,
): Promise<number> {
  return new Promise((answer) => {
    openBox(deck, () => confirmBox({ ...question, answer }));
  });
}

/** Opens an overlay as soon as no other is open; `overlay` may return undefined to open none. */
export function openBox(deck: Pick<Deck, 'screen'>, overlay: () => Overlay | undefined): void {
  const { screen } = deck;
  const tryToOpen = () => {
    if (screen.getState().overlay !== undefined) return false;
    const box = overlay();
    if (box !== undefined) screen.overlay.open(box);
    return true;
  };
  if (tryToOpen()) return;
  const stop = screen.subscribe((now) => {
    if (now.overlay !== undefined) return;
    stop();
    // The code that closed the other overlay may open its next one at once.
    queueMicrotask(() => {
      if (!tryToOpen()) openBox(deck, overlay);
    });
  });
}
