import type { Deck } from '../../store/deck/deck.ts';
import { confirmBox, type Confirmation } from '../../store/prompts/confirm.ts';
import type { Overlay } from '../../store/deck/screen/overlay.ts';

/**
 * Puts a box up and gives the option that was chosen. It waits for what lies above the panes to be
 * done with: nothing that is typed there may be lost, or taken for an answer.
 */
export function confirm(
  deck: Pick<Deck, 'screen'>,
  question: Omit<Confirmation, 'answer'>,
): Promise<number> {
  return new Promise((answer) => {
    openBox(deck, () => confirmBox({ ...question, answer }));
  });
}

/** Puts something up above the panes as soon as nothing else is there; nothing where it is undefined. */
export function openBox(deck: Pick<Deck, 'screen'>, overlay: () => Overlay | undefined): void {
  const { screen } = deck;
  const isUp = () => {
    if (screen.getState().overlay !== undefined) return false;
    const box = overlay();
    if (box !== undefined) screen.overlay.open(box);
    return true;
  };
  if (isUp()) return;
  const stop = screen.subscribe((now) => {
    if (now.overlay !== undefined) return;
    stop();
    // What ended the other may put up something else of its own at once.
    queueMicrotask(() => {
      if (!isUp()) openBox(deck, overlay);
    });
  });
}
