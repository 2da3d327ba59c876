import { expect } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { boxAnswersAfter } from '../../../source/store/deck/screen/overlay.ts';
import { templateMenu } from '../../../source/view/deployments/new-deployment.ts';
import type { Foreign } from '../../servers/foreign.ts';
import type { OpenDeck } from '../open-deck.ts';
import { boxOf, press, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

export const dana = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';
export const grantId = 'grant-1';
export const shops = ['shop-1', 'shop-2', 'shop-3'];

/** A write started by keys, and the messages about it. */
export interface Flow {
  readonly name: string;
  /** Requests of one successful attempt. */
  readonly writes: number;
  /** Focuses the object of the write. */
  arrange(open: OpenDeck): Promise<void>;
  /** Presses the keys up to the Enter that sends it, the same for each attempt. */
  send(open: OpenDeck): Promise<void>;
  /** Returns the typed or marked input, which must survive a refusal. */
  input(deck: Deck): unknown;
  /** Returns the remaining input after a partial success. */
  readonly left?: (open: OpenDeck) => unknown;
  /** Message of a refused write. */
  readonly refused: RegExp;
  readonly next: RegExp;
  /** Message of an unconfirmed write. */
  readonly unknown: RegExp;
  /** Message of a finished write. */
  readonly done: RegExp;
  /** Returns true when the service has applied the write. */
  isDone(foreign: Foreign): boolean;
}

function idOf(foreign: Foreign, name: string): string {
  for (const { id, title } of foreign.deployments.values()) if (title === name) return id;
  throw new Error(`no deployment ${name}`);
}

/** Moves the cursor to the first shop and marks the first `marks` shops. */
async function goToShops({ deck, foreign }: OpenDeck, marks: number): Promise<void> {
  const { rows } = deck.deployments.list.state.getState();
  const id = idOf(foreign, 'shop-1');
  const index = rows.findIndex(({ value }) => value.id === id);
  setScreen(deck.screen, ({ cursors }) => ({
    focus: 'deployments',
    cursors: { ...cursors, deployments: { id, index } },
    deploymentMarks: new Set(shops.slice(0, marks).map((name) => idOf(foreign, name))),
  }));
}

const marksOf = (deck: Deck) => [...deck.screen.getState().deploymentMarks];
const cursorOf = (deck: Deck, pane: 'deployments' | 'grants') =>
  deck.screen.getState().cursors[pane].id;

function definitionText(deck: Deck): string {
  const { document } = deck.editor.state.getState();
  if (document?.kind !== 'definition') throw new Error('no definition is open');
  return document.text.text();
}

/** Waits for a box or form and skips the time until it may be answered. */
async function read(deck: Deck, kind: 'grant' | 'restarts' | 'restart'): Promise<void> {
  await waitFor(() => {
    const { overlay } = deck.screen.getState();
    if (overlay?.kind !== kind) throw new Error(`no ${kind}, but ${overlay?.kind}`);
    const shownAt = deck.clock.now() - boxAnswersAfter;
    setScreen(deck.screen, { overlay: { ...overlay, shownAt } });
  });
}

async function confirm(deck: Deck, title: string, word: string): Promise<void> {
  await boxOf(deck, title);
  type(deck, word);
  press(deck, 'tab', 'enter');
}

const isClosed = (foreign: Foreign, name: string) =>
  foreign.deployments.get(idOf(foreign, name))?.status === 'stopped';

/** Every write of deployments and grants. */
export const flows: readonly Flow[] = [
  {
    name: 'create',
    writes: 1,
    async arrange({ deck }) {
      templateMenu(deck)
        .items()
        .find(({ label }) => label === 'web')
        ?.choose();
      await waitFor(() => definitionText(deck));
      await waitFor(() => expect(deck.screen.getState().main.kind).toBe('editor'));
      type(deck, '#');
    },
    async send({ deck }) {
      press(deck, 'ctrl+s');
      await boxOf(deck, 'create web?');
      press(deck, 'down', 'enter');
    },
    input: definitionText,
    refused: /^Not created(; draft kept)?\. /,
    next: /\b(try|start|sends? it|retries|base URL|Ask the owner|Send less)\b/i,
    unknown: /It may have been created\. Check the list; \^S retries\.$/,
    done: /^Created web\./,
    isDone: (foreign) => foreign.deployments.size === 5,
  },
  {
    name: 'close one',
    writes: 1,
    arrange: (open) => goToShops(open, 0),
    async send({ deck }) {
      press(deck, 'X');
      await confirm(deck, 'close shop-1?', 'shop-1');
    },
    input: (deck) => [cursorOf(deck, 'deployments'), marksOf(deck)],
    refused: /^Closing shop-1 failed\b/,
    next: /X: close again\.$/,
    unknown: /^shop-1 may have been closed\. X: close again\.$/,
    done: /^Closed shop-1\.$/,
    isDone: (foreign) => isClosed(foreign, 'shop-1'),
  },
  {
    name: 'close several',
    writes: 3,
    arrange: (open) => goToShops(open, 3),
    async send({ deck }) {
      const { size } = deck.screen.getState().deploymentMarks;
      press(deck, 'X');
      if (size === 1) await confirm(deck, 'close shop-1?', 'shop-1');
      else await confirm(deck, `close ${size} deployments?`, `close ${size}`);
    },
    input: marksOf,
    left: ({ foreign }) => [idOf(foreign, 'shop-1')],
    refused: /^Closed [02] of 3\. (shop-1|shop-1, shop-2, shop-3) failed\b/,
    next: /X: close again\.$/,
    unknown: /^Closed 2 of 3\. shop-1 may have been closed\. X: close again\.$/,
    done: /^Closed (shop-1|3 deployments)\.$/,
    isDone: (foreign) => shops.every((name) => isClosed(foreign, name)),
  },
  {
    name: 'restart one',
    writes: 1,
    async arrange(open) {
      await goToShops(open, 0);
      open.deck.restarts.filesChanged(idOf(open.foreign, 'shop-1'), { service: 'web', path: 'a' });
    },
    async send({ deck }) {
      press(deck, 'r');
      await read(deck, 'restarts');
      press(deck, 'tab', 'enter');
    },
    input(deck) {
      const [restart] = deck.restarts.state.getState().values();
      return [cursorOf(deck, 'deployments'), restart?.changes?.files];
    },
    refused: /^Restart of shop-1 failed\b.*Changes are unapplied\./,
    next: /r: restart again\.$/,
    unknown: /^shop-1 may have restarted\. Check its log; r: restart again\.$/,
    done: /^shop-1 is restarting\./,
    // The state of a deployment does not show a restart.
    isDone: () => false,
  },
  {
    name: 'restart several',
    writes: 3,
    arrange: (open) => goToShops(open, 3),
    async send({ deck }) {
      const { size } = deck.screen.getState().deploymentMarks;
      press(deck, 'r');
      if (size === 1) await read(deck, 'restarts');
      else await boxOf(deck, `restart ${size} deployments?`);
      press(deck, 'tab', 'enter');
    },
    input: marksOf,
    left: ({ foreign }) => [idOf(foreign, 'shop-1')],
    refused: /^[02] of 3 are restarting\. (shop-1|shop-1, shop-2, shop-3) failed\b/,
    next: /r: restart again\.$/,
    unknown: /^2 of 3 are restarting\. shop-1 may have restarted\. r: restart again\.$/,
    done: /^(shop-1 is|3 deployments are) restarting\./,
    isDone: () => false,
  },
  {
    name: 'grant',
    writes: 1,
    async arrange({ deck }) {
      press(deck, '3', 'a');
      for (const text of [dana, '50', '30d']) {
        type(deck, text);
        press(deck, 'enter');
      }
      press(deck, 'escape');
    },
    async send({ deck }) {
      if (deck.screen.getState().overlay === undefined) press(deck, 'a');
      await read(deck, 'grant');
      press(deck, ...(overlayStop(deck) === 'to' ? ['shift+tab'] : ['tab']), 'enter');
    },
    input(deck) {
      const { overlay, keptGrants } = deck.screen.getState();
      const form = overlay?.kind === 'grant' ? overlay : keptGrants.get('new');
      return Object.values(form?.lines ?? {}).map(({ text }) => text);
    },
    refused: /Nothing was granted\./,
    next: /\b(try|start|base URL|Ask the owner|Send less|send it)\b/i,
    unknown: /The grant may have been created\. Check the list before you retry\.$/,
    done: /may spend up to 50 until/,
    isDone: (foreign) =>
      [...foreign.grants.values()].filter(({ limit }) => limit === 50).length > 0,
  },
  {
    name: 'revoke',
    writes: 1,
    async arrange({ deck }) {
      press(deck, '3');
      setScreen(deck.screen, ({ cursors }) => ({
        cursors: { ...cursors, grants: { id: grantId, index: 0 } },
      }));
    },
    async send({ deck }) {
      press(deck, 'X');
      await confirm(deck, 'revoke the grant to', '9f3c');
    },
    input: (deck) => cursorOf(deck, 'grants'),
    refused: new RegExp(`The grant to ${dana} was not revoked\\.`),
    next: /X: revoke again\.( It says: injected failure)?$/,
    unknown: /may have been revoked\. Check the list\. X: revoke again\.$/,
    done: /^Revoked the grant to /,
    isDone: (foreign) => !foreign.grants.has(grantId),
  },
];

function overlayStop(deck: Deck): string | undefined {
  const { overlay } = deck.screen.getState();
  return overlay?.kind === 'grant' ? overlay.stop : undefined;
}
