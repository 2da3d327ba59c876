import { expect, test } from 'vitest';
import { createClient } from '../../source/client/client.ts';
import { followRules } from '../../source/start/follow-rules.ts';
import type { AlertRule } from '../../source/store/alert-rules/rule.ts';
import { waitFor } from '../support/wait-for.ts';
import { openDeck } from '../view/open-deck.ts';

test('rules read the lists and the logs of a service, across a lost stream, and act once', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const { baseUrl, token, sample } = foreign;
  await using client = disposable(createClient({ baseUrl, token }));
  const name = deck.deployments.label(sample);
  const logRule = { action: 'notify', deployments: [name] } as const;
  const rules: readonly AlertRule[] = [
    {
      when: 'crash',
      action: 'bell',
      deployments: [],
      condition: { kind: 'alert', scope: 'deployments', alerts: ['crashing', 'failed'] },
    },
    { ...logRule, when: 'pattern: panic', condition: { kind: 'pattern', pattern: 'panic: .+' } },
    { ...logRule, when: 'errors>4/h', condition: { kind: 'errors', more: 4, within: 3_600_000 } },
    { ...logRule, when: 'silent 9h', condition: { kind: 'silent', span: 32_400_000 } },
  ];
  const acts: string[] = [];
  const streams = foreign.streams();
  const stop = followRules(deck, client.value, { rules, quiet: undefined }, (action, sentence) =>
    acts.push(`${action} ${sentence}`),
  );
  await waitFor(() => expect(foreign.streams()).toBe(streams + 1));
  for (const text of ['panic: at the disco', 'ERROR a', 'ERROR b'])
    foreign.append(sample, 'web', text);
  await waitFor(() =>
    expect(acts).toEqual([`notify ${name} has a line that matches "panic: .+".`]),
  );
  foreign.cutStreams();
  await waitFor(() => expect(foreign.streams()).toBe(streams + 1));
  foreign.append(sample, 'web', 'panic: again');
  foreign.append(sample, 'web', 'ERROR c');
  Object.assign(foreign.deployments.get(sample) ?? {}, { status: 'failed' });
  deck.refresh.now();
  await waitFor(() => expect(acts).toHaveLength(3));
  expect(acts.slice(1).toSorted()).toEqual([
    `bell ${name} has failed.`,
    `notify ${name} has 5 errors in 1h.`,
  ]);
  expect(deck.history.entries.getState()).toEqual(
    expect.arrayContaining([expect.objectContaining({ text: `${name} has 5 errors in 1h.` })]),
  );
  stop();
  await waitFor(() => expect(foreign.streams()).toBe(streams));
});

function disposable(client: ReturnType<typeof createClient>): AsyncDisposable & {
  readonly value: typeof client;
} {
  return { value: client, [Symbol.asyncDispose]: () => client.close() };
}
