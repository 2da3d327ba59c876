import type { Deck } from '../../store/deck/deck.ts';
import { isTokenRejected } from '../text/notice.ts';

/** Reach of the service, which decides what the footer offers. */
export type FooterReach =
  | 'online'
  | 'read-only'
  /** Unreachable: nothing can be written. */
  | 'offline'
  /** The token is rejected and no row is loaded: nothing works. */
  | 'rejected';

/** Returns what can be done with the service. */
export function footerReach(deck: Pick<Deck, 'refresh' | 'deployments' | 'access'>): FooterReach {
  const { error, loadedAt } = deck.deployments.list.state.getState();
  if (isTokenRejected(error) && loadedAt === undefined) return 'rejected';
  if (deck.refresh.reach.getState().kind === 'away') return 'offline';
  return deck.access.state.getState().isReadOnly ? 'read-only' : 'online';
}

/** Returns whether a retry may bring the service back. */
export function isRetryUseful(deck: Pick<Deck, 'refresh' | 'deployments' | 'access'>): boolean {
  const reach = footerReach(deck);
  return reach === 'offline' || reach === 'rejected';
}
