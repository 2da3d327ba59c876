import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { render } from 'ink';
import { expect, onTestFinished, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { type GrantForm, newGrantForm } from '../../../source/store/grants/form.ts';
import { createKeys } from '../../../source/terminal/keys/keys.ts';
import type { KeyEvent } from '../../../source/terminal/keys/key-sequences.ts';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { dispatch } from '../../../source/view/shell/dispatch.ts';
import { isInkKey } from '../../../source/view/shell/prompts/field-keys.ts';
import { keyBytes } from '../../e2e/harness-keys.ts';
import type { Foreign } from '../../servers/foreign.ts';
import { setScreen } from '../../support/set-screen.ts';
import { systemClock } from '../../support/system-clock.ts';
import { waitFor } from '../../support/wait-for.ts';
import { FakeInput, FakeOutput } from '../../terminal/fake-terminal.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { quietTerminal } from '../quiet-terminal.ts';

/** Grantees of other grants, so that the form suggests them. */
const grantees = Array.from({ length: 8 }, (_, index) => `cosmos1jk${index}`);

const viewport = { rows: 10, lines: 10 };

/** Opens a deck whose wallet has a grant to each grantee. */
async function openGrants() {
  const now = Date.now();
  const give = (foreign: Foreign) => {
    for (const [index, grantee] of grantees.entries()) {
      foreign.grants.set(grantee, {
        id: grantee,
        grantor: foreign.wallet,
        grantee,
        limit: 50,
        spent: 0,
        createdAt: new Date(now - 1000 * index).toISOString(),
        expiresAt: new Date(now + 86_400_000).toISOString(),
      });
    }
  };
  // The buttons of a form do not answer at once, which here lasts for good.
  const open = await openDeck({}, give, { clock: { ...systemClock, now: () => now } });
  onTestFinished(() => open[Symbol.asyncDispose]());
  setScreen(open.deck.screen, { focus: 'grants' });
  return open;
}

function formOf(deck: Deck): GrantForm {
  const { overlay } = deck.screen.getState();
  if (overlay?.kind !== 'grant') throw new Error(`no form, but ${JSON.stringify(overlay)}`);
  return overlay;
}

/** Opens an empty form in a terminal of this size, whose keys go to Ink or to the deck. */
async function mountForm(deck: Deck, size: { readonly columns: number; readonly rows: number }) {
  setScreen(deck.screen, { overlay: newGrantForm() });
  const input = new FakeInput();
  const keys = createKeys({ input: input.asStream(), output: new FakeOutput() });
  const passed: string[] = [];
  const terminal = quietTerminal();
  let seen = 0;
  keys.onKey((event) => {
    seen += 1;
    if (keys.hasReader() && isInkKey(deck, event)) {
      passed.push(event.name);
      return 'pass';
    }
    dispatch(event, { deck, terminal, viewport });
    return 'consumed';
  });
  const stdout = Object.assign(new FakeOutput(), size);
  const listening = once(keys.stdin, 'newListener');
  const app = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
    {
      stdin: keys.stdin,
      stdout: stdout.asStream(),
      debug: true,
      patchConsole: false,
      exitOnCtrlC: false,
      interactive: true,
    },
  );
  keys.start();
  await listening;
  return {
    passed,
    frame: () => stdout.written.slice(stdout.written.lastIndexOf(': new grant')),
    /** Types the bytes of keys; resolves when each has had its effect. */
    async type(...names: readonly string[]): Promise<void> {
      const expected = seen + names.length;
      input.write(names.map((name) => keyBytes(name, false)).join(''));
      await waitFor(() => expect(seen).toBe(expected));
      await nextTurn();
    },
    unmount() {
      app.unmount();
      keys.stop();
    },
  };
}

const suggested = (frame: string) =>
  [...frame.matchAll(/([> ]) (cosmos1jk\d)\b/g)].map(([, mark, address]) => `${mark}${address}`);

test('arrows in the list of grantees and Enter go to ink-select-input', async () => {
  const { deck } = await openGrants();
  const form = await mountForm(deck, { columns: 80, rows: 24 });
  onTestFinished(() => form.unmount());
  await form.type('down');
  const [first] = grantees;
  expect(formOf(deck).row).toBe(first);
  expect(form.passed).toEqual([]);
  await form.type('down', 'down', 'down', 'down', 'up');
  expect(form.passed).toEqual(['down', 'down', 'down', 'down', 'up']);
  expect(formOf(deck).row).toBe(grantees[3]);
  await waitFor(() => expect(suggested(form.frame())).toContain(`>${grantees[3]}`));
  await form.type('enter');
  expect(form.passed.at(-1)).toBe('enter');
  expect(formOf(deck)).toMatchObject({ stop: 'limit', picked: { address: grantees[3] } });
});

test('the list of grantees stops at both ends', async () => {
  const { deck } = await openGrants();
  const form = await mountForm(deck, { columns: 80, rows: 24 });
  onTestFinished(() => form.unmount());
  await form.type('down', 'up', 'up');
  expect(formOf(deck).row).toBe(grantees[0]);
  await form.type(...Array.from({ length: 12 }, () => 'down'));
  expect(formOf(deck).row).toBe(grantees.at(-1));
  expect(form.passed).toHaveLength(grantees.length - 1);
});

test('letters and digits that move ink-select-input are text above it', async () => {
  const { deck } = await openGrants();
  const form = await mountForm(deck, { columns: 80, rows: 24 });
  onTestFinished(() => form.unmount());
  await form.type('j', 'k');
  expect(formOf(deck)).toMatchObject({
    stop: 'to',
    row: grantees[0],
    lines: { to: { text: 'jk' } },
  });
  await form.type('4');
  expect(formOf(deck)).toMatchObject({ stop: 'to', row: grantees[4] });
  expect(formOf(deck).lines.to.text).toBe('jk4');
});

test('a small terminal shows the suggestions next to the chosen one', async () => {
  const { deck } = await openGrants();
  const form = await mountForm(deck, { columns: 40, rows: 10 });
  onTestFinished(() => form.unmount());
  await form.type('down', 'down', 'down', 'down', 'down');
  expect(formOf(deck).row).toBe(grantees[4]);
  await waitFor(() =>
    expect(suggested(form.frame())).toEqual([
      ` ${grantees[3]}`,
      `>${grantees[4]}`,
      ` ${grantees[5]}`,
    ]),
  );
});

const key = fc.constantFrom(
  'up',
  'down',
  'enter',
  'shift+tab',
  'j',
  'k',
  '1',
  '7',
  'x',
  'backspace',
);

test('the form on Ink does what it does without, for any keys and sizes', async () => {
  const { deck } = await openGrants();
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(key, { maxLength: 40 }),
      fc.constantFrom({ columns: 80, rows: 24 }, { columns: 40, rows: 10 }),
      async (names, size) => {
        const form = await mountForm(deck, size);
        try {
          await form.type(...names);
          passed += form.passed.length;
        } finally {
          form.unmount();
        }
        const onInk = deck.screen.getState().overlay;
        setScreen(deck.screen, { overlay: newGrantForm() });
        press(deck, ...names);
        const { overlay } = deck.screen.getState();
        // Only a drawn form knows its rows.
        const settled = (state: typeof overlay) =>
          state && { ...state, shownAt: 0, scroll: undefined };
        expect(settled(onInk)).toEqual(settled(overlay));
      },
    ),
    { numRuns: 40 },
  );
  expect(passed).toBeGreaterThan(40);
});

test.each<[KeyEvent, boolean]>([
  [{ name: 'down' }, true],
  [{ name: 'up' }, false],
  [{ name: 'enter' }, true],
  [{ name: 'tab' }, false],
  [{ name: 'j', text: 'j' }, false],
  [{ name: '3', text: '3' }, false],
  [{ name: 'x', text: 'x' }, true],
])('with the cursor on the first grantee, %j is for Ink: %s', async (event, isTaken) => {
  const { deck } = await openGrants();
  setScreen(deck.screen, { overlay: { ...newGrantForm(), row: grantees[0] } });
  expect(isInkKey(deck, event)).toBe(isTaken);
});
