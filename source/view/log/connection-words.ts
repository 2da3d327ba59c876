import type { Deck } from '../../store/deck/deck.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Returns what is wrong with the connection of a log, without times; undefined while it is live. */
export function connectionWords(
  { deployments }: Pick<Deck, 'deployments'>,
  { log, joined }: Pick<Tail, 'log' | 'joined'>,
): string | undefined {
  const { connection } = log.state.getState();
  const member = joined?.worstMember()?.deploymentId;
  const name = member === undefined ? 'The log' : `The log of ${deployments.label(member)}`;
  switch (connection.kind) {
    case 'live':
      return undefined;
    case 'connecting':
      return connection.error === undefined ? undefined : `${name} reconnects.`;
    case 'polling':
      return `${name} has no stream and is polled.`;
    case 'retrying':
      return `${name} reconnects.`;
    case 'stopped':
      return `${name} has stopped.`;
  }
}
