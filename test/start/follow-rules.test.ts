import { expect, test } from 'vitest';
import { createClient } from '../../source/client/client.ts';
import { followRules } from '../../source/start/follow-rules.ts';
import { parseRules } from '../support/alert-rules.ts';
import { waitFor } from '../support/wait-for.ts';
import { openDeck } from '../view/open-deck.ts';

test('rules read the lists and the logs of a service, across a lost stream, and act once', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const { baseUrl, token, sample } = foreign;
  await using client = disposable(createClient({ baseUrl, token }));
  const name = deck.deployments.label(sample);
  const log = `deployments: ${JSON.stringify(name)}`;
  const rules = parseRules(
    'when: crash',
    `when: "pattern: panic: .+", do: notify, ${log}`,
    `when: errors>4/h, do: notify, ${log}`,
    `when: silent 9h, do: notify, ${log}`,
  );
  const acts: string[] = [];
  const write = (bytes: string): void => void acts.push(bytes);
  const terminal = { write, protocol: 'osc-9' } as const;
  const streams = foreign.streams();
  const stop = followRules(deck, client.value, baseUrl, rules, terminal);
  await waitFor(() => expect(foreign.streams()).toBe(streams + 1));
  for (const text of ['panic: at the disco', 'ERROR a', 'ERROR b'])
    foreign.append(sample, 'web', text);
  await waitFor(() =>
    expect(acts).toEqual([notice(`${name} has a line that matches "panic: .+".`)]),
  );
  foreign.cutStreams();
  await waitFor(() => expect(foreign.streams()).toBe(streams + 1));
  foreign.append(sample, 'web', 'panic: again');
  foreign.append(sample, 'web', 'ERROR c');
  Object.assign(foreign.deployments.get(sample) ?? {}, { status: 'failed' });
  deck.refresh.now();
  await waitFor(() => expect(acts).toHaveLength(3));
  expect(acts.slice(1).toSorted()).toEqual(['\u0007', notice(`${name} has 5 errors in 1h.`)]);
  expect(deck.history.entries.getState()).toEqual(
    expect.arrayContaining([expect.objectContaining({ text: `${name} has 5 errors in 1h.` })]),
  );
  stop();
  await waitFor(() => expect(foreign.streams()).toBe(streams));
});

test('the bell is silent where it is off, and a failing command is said', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const { baseUrl, token, sample } = foreign;
  await using client = disposable(createClient({ baseUrl, token }));
  deck.screen.appearance.setBell(false);
  const acts: string[] = [];
  const write = (bytes: string): void => void acts.push(bytes);
  const rules = parseRules('when: crash', 'when: crash, do: notify', 'when: crash, run: exit 3');
  const terminal = { write, protocol: 'osc-777' } as const;
  const stop = followRules(deck, client.value, baseUrl, rules, terminal);
  Object.assign(foreign.deployments.get(sample) ?? {}, { status: 'failed' });
  deck.refresh.now();
  const failure = 'The command of the rule crash failed: exit 3.';
  await waitFor(() =>
    expect(deck.history.entries.getState()).toEqual(
      expect.arrayContaining([expect.objectContaining({ text: failure })]),
    ),
  );
  expect(acts).toEqual(['\u001b]777;notify;hostdeck;bazaar has failed.\u001b\\']);
  stop();
});

/** Returns the bytes of a notification. */
function notice(text: string): string {
  return `\u001b]9;hostdeck: ${text}\u001b\\`;
}

function disposable(client: ReturnType<typeof createClient>): AsyncDisposable & {
  readonly value: typeof client;
} {
  return { value: client, [Symbol.asyncDispose]: () => client.close() };
}
