import type { Deck } from '../../../store/deck/deck.ts';
import { prepareLists } from '../../../store/deck/prepared-lists.ts';
import { palettePart } from './open-palette.ts';
import { loadedOrNone } from '../../../system/lazy-part.ts';

/**
 * Prepares a long list of deployments for the palette in idle time: 10,000 names take 100 ms, in
 * which a palette that has just opened is typed into already. With a short list, the palette is
 * neither prepared nor loaded before it opens. Returns the function that stops it.
 */
export function preparePalette(deck: Deck): () => void {
  const stopping = new AbortController();

  async function prepare(signal: AbortSignal): Promise<void> {
    const part = await loadedOrNone(palettePart);
    if (part === undefined) return;
    const { prepareDeployments } = part;
    while (!signal.aborted && prepareDeployments(deck)) await deck.keyPause.workTurn();
  }

  const { state } = deck.deployments.list;
  const steps = () => [() => void prepare(stopping.signal)];
  const unsubscribe = prepareLists(deck, [{ state, steps }]);
  return () => {
    stopping.abort();
    unsubscribe();
  };
}
