import type { Deck } from '../store/deck/deck.ts';

/** Resolves when the list of deployments has been answered, or has failed. */
export function firstAnswer({ deployments: { list } }: Pick<Deck, 'deployments'>): Promise<void> {
  const isThere = () => {
    const { loadedAt, error } = list.state.getState();
    return loadedAt !== undefined || error !== undefined;
  };
  return new Promise((resolve) => {
    if (isThere()) return resolve();
    const end = list.state.subscribe(() => {
      if (!isThere()) return;
      end();
      resolve();
    });
  });
}
