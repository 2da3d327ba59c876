import { expect, onTestFinished, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { type MeddlingProxy, startMeddlingProxy } from '../../servers/meddling-proxy.ts';
import { type OpenDeck, openDeck } from '../open-deck.ts';
import { dana, flows, grantId, shops } from './write-flows.ts';
import { waitFor } from '../../support/wait-for.ts';

const day = 86_400_000;
/** A list that could not be had is asked for a few times more. */

interface OnProxy extends OpenDeck {
  readonly proxy: MeddlingProxy;
  /** Writes that have reached the service since the console is there. */
  arrived(): number;
  /** Writes that have left the console. */
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

/** Waits until this was said of what was sent, and gives the whole text. */
async function told(deck: Deck, text: RegExp): Promise<string> {
  return waitFor(() => {
    const said = deck.history.entries
      .getState()
      .flatMap((entry) => (entry.kind === 'message' ? [entry.text] : []));
    const found = said.findLast((one) => text.test(one));
    if (found === undefined) throw new Error(`not said: ${String(text)}, but ${said.join('\n')}`);
    return found;
  });
}

const statuses = [400, 401, 403, 404, 409, 413, 422, 429, 500, 503];
const everyFlow = flows.map((flow) => [flow.name, flow] as const);

const refusals = everyFlow.flatMap(([name, flow]) =>
  statuses.map((status) => [name, status, flow] as const),
);

test.each(refusals)(
  '%s, refused with %i: the input is there, one try was made, and the same key makes the next',
  async (_, status, flow) => {
    const open = await openShops();
    const { deck, foreign } = open;
    await flow.arrange(open);
    const before = flow.input(deck);
    foreign.failNext(1, { status, method: flow.name === 'revoke' ? 'DELETE' : 'POST' });
    await flow.send(open);
    const text = await told(deck, flow.refused);
    // What the service says of a definition is worth more than its number.
    expect(text).toMatch(new RegExp(`${status}|The service: injected failure`));
    expect(text).toMatch(flow.next);
    expect(text).not.toMatch(/\bmay (have|be)\b/);
    expect(open.arrived()).toBe(flow.writes);
    const left = flow.left?.(open) ?? before;
    await waitFor(() => expect(flow.input(deck)).toEqual(left));
    await flow.send(open);
    await told(deck, flow.done);
    expect(open.arrived()).toBe(flow.writes + 1);
  },
);

test.each(everyFlow)(
  '%s, with nobody there to connect to: it is said as not done, and the same key does it',
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
    const text = await told(deck, flow.refused);
    expect(text).toContain('refused the connection');
    expect(text).toMatch(flow.next);
    expect(text).not.toMatch(/\bmay (have|be)\b/);
    expect(open.arrived()).toBe(0);
    await waitFor(() => expect(flow.input(deck)).toEqual(before));
    await proxy.back();
    await waitFor(async () => expect((await deck.deployments.list.refresh()).ok).toBe(true));
    await flow.send(open);
    await told(deck, flow.done);
    expect(foreign.writes().length).toBe(shops.length + flow.writes);
  },
);

const cuts = ['drop before the service has it', 'drop when the service has answered'] as const;
const lost = everyFlow.flatMap(([name, flow]) => cuts.map((cut) => [name, cut, flow] as const));

test.each(lost)(
  '%s, cut off (%s): nobody says that it failed, nothing is sent again, the same key does',
  async (_, cut, flow) => {
    const open = await openShops();
    const { deck, foreign, proxy } = open;
    await flow.arrange(open);
    const before = flow.input(deck);
    let meddled = 0;
    proxy.meddle = ({ method }) => (method !== 'GET' && meddled++ === 0 ? cut : 'pass');
    const arrives = cut === 'drop before the service has it' ? flow.writes - 1 : flow.writes;
    await flow.send(open);
    const text = await told(deck, flow.unknown);
    expect(text).not.toMatch(/failed|refused|not (created|revoked|granted)/i);
    expect(open.sent()).toBe(flow.writes);
    expect(open.arrived()).toBe(arrives);
    await waitFor(() => expect(flow.input(deck)).toEqual(flow.left?.(open) ?? before));
    expect(flow.isDone(foreign)).toBe(arrives === flow.writes && !flow.name.startsWith('restart'));
    // What is gone from the list needs no second revocation.
    if (flow.name === 'revoke' && flow.isDone(foreign)) return;
    await flow.send(open);
    // What is already closed, this service refuses to close.
    const isDoneBefore = flow.isDone(foreign) && flow.name.startsWith('close');
    await told(
      deck,
      isDoneBefore ? /failed: 409, deployment is stopped\. X asks again\.$/ : flow.done,
    );
    expect(open.sent()).toBe(flow.writes + 1);
  },
);
