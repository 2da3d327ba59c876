import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { dropAppliedElsewhere } from '../../../source/store/restarts/applied-elsewhere.ts';
import { config, createFixture, page } from './restarts-fixture.ts';

/** A console whose deployments are listed when the test says so, and the restarts of a shell. */
function openConsole(options: Parameters<typeof createFixture>[0]) {
  const fixture = createFixture(options);
  const { clock, restarts } = fixture;
  const listed = createStore(() => ({ loadedAt: 0 }));
  const times: number[] = [];
  const stop = dropAppliedElsewhere(
    restarts,
    listed,
    () => clock.now(),
    (id) => (id === 'shop' ? times : []),
  );
  return {
    ...fixture,
    stop,
    restartInShell: () => times.push(clock.now()),
    list: () => listed.setState(({ loadedAt }) => ({ loadedAt: loadedAt + 1 })),
  };
}

it('changes that a shell has restarted are applied, and so for the next console', async () => {
  const { restarts, clock, of, journal, list, restartInShell, stop } = openConsole({
    delay: 'off',
  });
  restarts.filesChanged('shop', config);
  restarts.filesChanged('ledger', config);
  await clock.advance(3000);
  list();
  expect(of('shop')?.kind).toBe('unapplied');
  restartInShell();
  list();
  expect(of('shop')).toBeUndefined();
  expect(journal.at(-1)?.map(({ deploymentId }) => deploymentId)).toEqual(['ledger']);
  stop();
});

it('changes after the restart of a shell stay unapplied', async () => {
  const { restarts, clock, of, list, restartInShell, stop } = openConsole({ delay: 'off' });
  restarts.filesChanged('shop', config);
  await clock.advance(3000);
  restartInShell();
  restarts.filesChanged('shop', page);
  list();
  expect(of('shop')?.kind).toBe('unapplied');
  // The clock of the service is estimated, so that a restart soon after a change may be one before it.
  await clock.advance(1000);
  restartInShell();
  list();
  expect(of('shop')?.kind).toBe('unapplied');
  stop();
});

it('changes that an earlier console left are applied as well', async () => {
  const entry = { deploymentId: 'shop', name: 'shop', files: [config], since: 1 };
  const owed = [{ ...entry, state: 'unapplied' } as const];
  const { clock, of, list, restartInShell, stop } = openConsole({ owed });
  await clock.advance(3000);
  expect(of('shop')?.kind).toBe('owed');
  restartInShell();
  list();
  expect(of('shop')).toBeUndefined();
  stop();
});

it('a countdown stays, also while it is paused, and its restart is sent', async () => {
  const { restarts, clock, list, restartInShell, sent, stop } = openConsole({ delay: 5000 });
  restarts.filesChanged('shop', config);
  restarts.setPaused(true);
  await clock.advance(3000);
  restartInShell();
  list();
  restarts.setPaused(false);
  await clock.advance(5000);
  expect(sent()).toEqual(['shop']);
  stop();
});
