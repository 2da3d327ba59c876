import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { LogConnectionState } from '../../../source/store/log/feed/connection.ts';
import { fetchWhenLogReturns } from '../../../source/store/deck/log-return.ts';

type Kind = LogConnectionState['kind'];

function createLog(kind: Kind) {
  const state = createStore<{ connection: { kind: Kind } }>(() => ({ connection: { kind } }));
  return { state, enter: (next: Kind) => state.setState({ connection: { kind: next } }) };
}

function createFixture() {
  const log = createLog('retrying');
  const opened = createStore<{ tail: { log: ReturnType<typeof createLog> } | undefined }>(() => ({
    tail: { log },
  }));
  const reach = { kind: 'away' as 'away' | 'up' };
  let fetches = 0;
  const end = fetchWhenLogReturns(opened, {
    reach: { getState: () => (reach.kind === 'up' ? { kind: 'up' } : away) },
    now: () => (fetches += 1),
  });
  return { log, opened, reach, end, fetches: () => fetches };
}

const away = {
  kind: 'away',
  since: 0,
  nextTry: 5000,
  error: {
    code: 'refused',
    operation: 'list deployments',
    sentence: 'Refused.',
    next: 'F5.',
    unknownOutcome: false,
  },
} as const;

describe('a log that connects', () => {
  it('fetches the lists of a service that was away, once', () => {
    const { log, fetches } = createFixture();
    log.enter('connecting');
    expect(fetches()).toBe(0);
    log.enter('live');
    log.enter('live');
    expect(fetches()).toBe(1);
  });

  it('fetches nothing while the service answers', () => {
    const { log, reach, fetches } = createFixture();
    reach.kind = 'up';
    log.enter('live');
    expect(fetches()).toBe(0);
  });

  it('counts only while it is the opened one', () => {
    const { log, opened, end, fetches } = createFixture();
    const next = createLog('connecting');
    opened.setState({ tail: { log: next } });
    log.enter('live');
    expect(fetches()).toBe(0);
    next.enter('live');
    expect(fetches()).toBe(1);
    end();
    next.enter('retrying');
    next.enter('live');
    expect(fetches()).toBe(1);
  });
});
