import { expect, test } from 'vitest';
import { createClient } from '../../source/client/client.ts';
import { createAlertSounds } from '../../source/start/alert-sounds.ts';
import type { AlertRule, AlertSettings } from '../../source/store/alert-rules/rule.ts';
import { createTestClock } from '../support/clock.ts';
import { waitFor } from '../support/wait-for.ts';
import { openDeck } from '../view/open-deck.ts';

const crash: AlertRule = {
  when: 'crash',
  action: 'notify',
  deployments: [],
  condition: { kind: 'alert', scope: 'deployments', alerts: ['crashing', 'failed'] },
};

test('rules replace the bell of alerts, which quiet hours hold back too', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const client = createClient({ baseUrl: foreign.baseUrl, token: foreign.token });
  const written: string[] = [];
  // Noon here, wherever that is.
  const clock = createTestClock(new Date(2026, 0, 1, 12).getTime());
  const sounds = createAlertSounds({
    write: (bytes) => written.push(bytes),
    protocol: 'osc-9',
    clock,
  });
  const follow = (settings: Partial<AlertSettings>) =>
    sounds.follow(deck, client, { rules: undefined, quiet: undefined, ...settings });
  follow({});
  expect(sounds.mayRing()).toBe(true);
  follow({ quiet: { from: 660, to: 780 } });
  expect(sounds.mayRing()).toBe(false);
  follow({ rules: [] });
  expect(sounds.mayRing()).toBe(false);

  deck.screen.appearance.setBell(false);
  follow({ rules: [{ ...crash, action: 'bell' }, crash] });
  Object.assign(foreign.deployments.get(foreign.sample) ?? {}, { status: 'failed' });
  deck.refresh.now();
  // With the bell off, the notification alone is written.
  await waitFor(() => expect(written).toEqual(['\u001b]9;hostdeck: bazaar has failed.\u001b\\']));
  sounds.stop();
  await client.close();
});
