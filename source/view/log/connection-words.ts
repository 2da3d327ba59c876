import type { Deck } from '../../store/deck/deck.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Returns what is wrong with the connection of a log, without times and counts; undefined if nothing is. */
export function connectionWords(
  { deployments }: Pick<Deck, 'deployments'>,
  { log, joined }: Pick<Tail, 'log' | 'joined'>,
): string | undefined {
  const { connection, unreadable } = log.state.getState();
  const member = joined?.worstMember()?.deploymentId;
  const name = member === undefined ? 'The log' : `The log of ${deployments.label(member)}`;
  switch (connection.kind) {
    case 'live':
      return unreadable === 0 ? undefined : `${name} has messages that can't be read.`;
    case 'connecting':
      return connection.error === undefined ? undefined : `${name} reconnects.`;
    case 'polling':
      return `${name} has no stream and is polled.`;
    case 'retrying':
      return `${name} reconnects.`;
    case 'stopped':
      return connection.error?.code === 'ended' ? `${name} is complete.` : `${name} has stopped.`;
  }
}
