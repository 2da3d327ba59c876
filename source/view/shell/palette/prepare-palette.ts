import type { Deck } from '../../../store/deck/deck.ts';
import { prepareLists } from '../../../store/deck/prepared-lists.ts';

/** Milliseconds between two steps, so that keys are handled in between. */
const stepInterval = 50;

/**
 * Prepares a long list of deployments for the palette in idle time: 10,000 names take 100 ms, in
 * which a palette that has just opened is typed into already. With a short list, the palette is
 * neither prepared nor loaded before it opens. Returns the function that stops it.
 */
export function preparePalette(deck: Deck): () => void {
  let cancel = (): void => {};
  let isStopped = false;

  async function prepare(): Promise<void> {
    const { prepareDeployments } = await import('./palette.ts');
    const step = (): void => {
      cancel();
      if (!isStopped && prepareDeployments(deck)) cancel = deck.clock.after(stepInterval, step);
    };
    step();
  }

  const { state } = deck.deployments.list;
  const unsubscribe = prepareLists(deck.clock, [{ state, steps: () => [() => void prepare()] }]);
  return () => {
    isStopped = true;
    unsubscribe();
    cancel();
  };
}
