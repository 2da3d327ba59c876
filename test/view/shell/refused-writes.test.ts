import { expect, onTestFinished, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { type MeddlingProxy, startMeddlingProxy } from '../../servers/meddling-proxy.ts';
import { type OpenDeck, openDeck } from '../open-deck.ts';
import { dana, flows, grantId, shops } from './write-flows.ts';
import { waitFor } from '../../support/wait-for.ts';

const day = 86_400_000;

interface OnProxy extends OpenDeck {
  readonly proxy: MeddlingProxy;
  /** Number of writes that reached the service since the deck opened. */
  arrived(): number;
  /** Number of writes that the deck sent. */
  sent(): number;
}

async function openShops(): Promise<OnProxy> {
  let proxy: MeddlingProxy | undefined;
  const open = await openDeck(
    {},
    async (foreign) => {
      for (const name of shops) await createDeployment(foreign, name);
      foreign.grants.set(grantId, {
        id: grantId,
        grantor: foreign.wallet,
        grantee: dana,
        limit: 5,
        spent: 0,
        createdAt: new Date(Date.now() - day).toISOString(),
        expiresAt: new Date(Date.now() + day).toISOString(),
      });
    },
    {
      restartDelay: 600_000,
      through: async (direct) => (proxy = await startMeddlingProxy(direct)).baseUrl,
    },
  );
  if (proxy === undefined) throw new Error('no proxy');
  const between = proxy;
  onTestFinished(async () => {
    await open[Symbol.asyncDispose]();
    await between.close();
  });
  const before = open.foreign.writes().length;
  return Object.assign(open, {
    proxy: between,
    arrived: () => open.foreign.writes().length - before,
    sent: () => between.writes().length,
  });
}

/** Waits for a message that matches, newer than the first `seen` entries, and returns its whole text. */
async function waitForHistory(deck: Deck, text: RegExp, seen = 0): Promise<string> {
  return waitFor(() => {
    const messages = deck.history.entries
      .getState()
      .slice(seen)
      .flatMap((entry) => (entry.kind === 'message' ? [entry.text] : []));
    const match = messages.findLast((message) => text.test(message));
    if (match === undefined) throw new Error(`no ${String(text)} in ${messages.join('\n')}`);
    return match;
  });
}

const statuses = [400, 401, 403, 404, 409, 413, 422, 429, 500, 503];
const namedFlows = flows.map((flow) => [flow.name, flow] as const);

test.each(namedFlows)(
  '%s refused with any status keeps the input, sends one request, and retries with the same key',
  async (_, flow) => {
    const open = await openShops();
    const { deck, foreign } = open;
    await flow.arrange(open);
    const before = flow.input(deck);
    const method = flow.name === 'revoke' ? 'DELETE' : 'POST';
    const attempt = async (message: RegExp): Promise<string> => {
      const seen = deck.history.entries.getState().length;
      await flow.send(open);
      return waitForHistory(deck, message, seen);
    };
    let arrived = 0;
    for (const status of statuses) {
      foreign.failNext(flow.writes, { status, method });
      const text = await attempt(flow.refused);
      // A definition error shows the service's message instead of the status.
      expect(text).toMatch(new RegExp(`${status}|The service: injected failure`));
      expect(text).toMatch(flow.next);
      expect(text).not.toMatch(/\bmay (have|be)\b/);
      arrived += flow.writes;
      expect(open.arrived()).toBe(arrived);
      await waitFor(() => expect(flow.input(deck)).toEqual(before));
    }
    if (flow.left !== undefined) {
      foreign.failNext(1, { status: 503, method });
      expect(await attempt(flow.refused)).toMatch(flow.next);
      arrived += flow.writes;
      await waitFor(() => expect(flow.input(deck)).toEqual(flow.left?.(open)));
    }
    await attempt(flow.done);
    expect(open.arrived()).toBe(arrived + 1);
  },
);

test.each(namedFlows)(
  '%s without a connection is reported as not done, and the same key retries',
  async (_, flow) => {
    const open = await openShops();
    const { deck, foreign, proxy } = open;
    await flow.arrange(open);
    const before = flow.input(deck);
    await proxy.close();
    await waitFor(async () => {
      const result = await deck.deployments.list.refresh();
      expect(result.ok ? undefined : result.error.code).toBe('refused');
    });
    await flow.send(open);
    const text = await waitForHistory(deck, flow.refused);
    expect(text).toContain('refused the connection');
    expect(text).toMatch(flow.next);
    expect(text).not.toMatch(/\bmay (have|be)\b/);
    expect(open.arrived()).toBe(0);
    await waitFor(() => expect(flow.input(deck)).toEqual(before));
    await proxy.back();
    await waitFor(async () => expect((await deck.deployments.list.refresh()).ok).toBe(true));
    await flow.send(open);
    await waitForHistory(deck, flow.done);
    expect(foreign.writes().length).toBe(shops.length + flow.writes);
  },
);

const cuts = ['drop before the service has it', 'drop when the service has answered'] as const;
const lost = namedFlows.flatMap(([name, flow]) => cuts.map((cut) => [name, cut, flow] as const));

test.each(lost)(
  '%s cut off (%s) is reported as unconfirmed, not resent, and retried with the same key',
  async (_, cut, flow) => {
    const open = await openShops();
    const { deck, foreign, proxy } = open;
    await flow.arrange(open);
    const before = flow.input(deck);
    let meddled = 0;
    proxy.meddle = ({ method }) => (method !== 'GET' && meddled++ === 0 ? cut : 'pass');
    const arrives = cut === 'drop before the service has it' ? flow.writes - 1 : flow.writes;
    await flow.send(open);
    const text = await waitForHistory(deck, flow.unknown);
    expect(text).not.toMatch(/failed|refused|not (created|revoked|granted)/i);
    expect(open.sent()).toBe(flow.writes);
    expect(open.arrived()).toBe(arrives);
    await waitFor(() => expect(flow.input(deck)).toEqual(flow.left?.(open) ?? before));
    expect(flow.isDone(foreign)).toBe(arrives === flow.writes && !flow.name.startsWith('restart'));
    // A grant that has left the list needs no second revocation.
    if (flow.name === 'revoke' && flow.isDone(foreign)) return;
    await flow.send(open);
    // This service refuses to close a closed deployment.
    const isDoneBefore = flow.isDone(foreign) && flow.name.startsWith('close');
    await waitForHistory(
      deck,
      isDoneBefore ? /failed \(409\): deployment is stopped\. X: close again\.$/ : flow.done,
    );
    expect(open.sent()).toBe(flow.writes + 1);
  },
);
