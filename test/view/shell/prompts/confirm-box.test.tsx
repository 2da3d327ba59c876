import * as fc from 'fast-check';
import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import { prompting } from '../../../../source/store/prompts/prompt.ts';
import { confirmBox, type Confirmation } from '../../../../source/store/prompts/confirm.ts';
import { boxAnswersAfter } from '../../../../source/store/deck/screen/overlay.ts';
import { confirm } from '../../../../source/view/command/confirm.ts';
import { App } from '../../../../source/view/shell/app.tsx';
import { DeckContext } from '../../../../source/view/parts/context.ts';
import type { Line } from '../../../../source/view/text/line.ts';
import { confirmLines, typedLines } from '../../../../source/view/text/confirm-lines.ts';
import { openDeck } from '../../open-deck.ts';
import type { Deck } from '../../../../source/store/deck/deck.ts';
import { press } from '../../press-keys.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { setScreen } from '../../../support/set-screen.ts';

function question(answer: (option: number) => void, typed?: string): Confirmation {
  return {
    title: 'delete app.yaml?',
    lines: ['It is kept on this machine.'],
    options: [{ label: 'Cancel' }, { label: 'Delete', destroys: true }],
    ...(typed === undefined ? {} : { typed }),
    escape: 'cancels',
    answer,
  };
}

function textOf(line: Line): string {
  return line
    .map((part) => part.text)
    .join('')
    .trimEnd();
}

/** Opens the box and skips the time until it may be answered. */
function show(deck: Deck, asked: Confirmation): void {
  const shownAt = deck.clock.now() - boxAnswersAfter;
  setScreen(deck.screen, { overlay: { ...confirmBox(asked), shownAt } });
}

test('a box opens on its first option, and Enter answers with it', async () => {
  await using open = await openDeck();
  const answer = vi.fn<(option: number) => void>();
  show(open.deck, question(answer));
  press(open.deck, 'enter');
  expect(answer.mock.calls).toEqual([[0]]);
  expect(open.deck.screen.getState().overlay).toBeUndefined();
});

test('Tab and arrows choose, Esc answers as the first option', async () => {
  await using open = await openDeck();
  const answer = vi.fn<(option: number) => void>();
  show(open.deck, question(answer));
  press(open.deck, 'tab', 'enter');
  show(open.deck, question(answer));
  press(open.deck, 'right', 'escape');
  expect(answer.mock.calls).toEqual([[1], [0]]);
});

test('Enter typed before the box could be read answers nothing', async () => {
  await using open = await openDeck();
  const answer = vi.fn<(option: number) => void>();
  setScreen(open.deck.screen, { overlay: confirmBox(question(answer)) });
  press(open.deck, 'tab', 'enter', 'y');
  expect(answer).not.toHaveBeenCalled();
  expect(open.deck.screen.getState().overlay?.kind).toBe('question');
});

test('an option that requires a word is enabled only by that word', async () => {
  await using open = await openDeck();
  const answer = vi.fn<(option: number) => void>();
  show(open.deck, question(answer, 'shop'));
  press(open.deck, 's', 'h', 'o', 'tab', 'enter');
  expect(answer).not.toHaveBeenCalled();
  press(open.deck, 'p', 'enter');
  expect(answer.mock.calls).toEqual([[1]]);
});

test('options with meanings are listed vertically', () => {
  const lines = confirmLines(
    confirmBox({
      ...question(() => {}),
      options: [
        { label: 'Keep editing', meaning: 'nothing is sent' },
        { label: 'Show both', meaning: 'diff' },
      ],
    }),
    60,
    20,
  ).map(textOf);
  expect(lines).toEqual([
    'It is kept on this machine.',
    '',
    '> Keep editing   nothing is sent',
    '  Show both      diff',
  ]);
});

test('the chosen option is visible at any height', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(),
      fc.integer({ min: 6, max: 20 }),
      (said, count, at, room) => {
        const options = Array.from({ length: count }, (_, index) => ({
          label: `Do ${index}`,
          meaning: 'this',
        }));
        const [first, ...others] = options;
        if (first === undefined) return;
        const chosen = at % count;
        const box = confirmBox({
          ...question(() => {}),
          lines: Array.from({ length: said }, () => 'It is so.'),
          options: [first, ...others],
        });
        const rows = confirmLines({ ...box, chosen }, 60, room).map(textOf);
        expect(rows.length).toBeLessThanOrEqual(room);
        expect(rows.find((row) => row.startsWith('> '))).toMatch(`> Do ${chosen} `);
      },
    ),
  );
});

test('the chosen button is visible at any width', () => {
  const labels = ['Cancel', 'Restart now', 'Leave unapplied for long'];
  const box = confirmBox({ ...question(() => {}), options: [{ label: 'x' }] });
  const options = [{ label: 'Cancel' }, ...labels.slice(1).map((label) => ({ label }))] as const;
  const seen = labels.map((_, chosen) => {
    const asked = { ...box, chosen, question: { ...box.question, options } };
    return textOf(confirmLines(asked, 34, 6).at(-1) ?? []).slice(0, 34);
  });
  for (const [index, label] of labels.entries()) expect(seen[index]).toContain(`[${label}]`);
});

test('the box shows the profile and the question', async () => {
  await using open = await openDeck();
  const app = render(
    <DeckContext value={open.deck}>
      <App />
    </DeckContext>,
  );
  setScreen(open.deck.screen, { overlay: confirmBox(question(() => {}, 'shop')) });
  await waitFor(() => expect(app.lastFrame()).toContain('test: delete app.yaml?'));
  expect(app.lastFrame()).toContain('Type shop:');
  expect(app.lastFrame()).toContain('Delete (type the name to enable)');
  app.unmount();
});

test('a box that replaces another can be answered', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const app = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  for (const title of ['first?', 'second?']) {
    setScreen(deck.screen, { overlay: confirmBox({ ...question(() => {}), title }) });
    await waitFor(() => {
      const { overlay } = deck.screen.getState();
      expect(overlay?.kind === 'question' && Number.isFinite(overlay.shownAt)).toBe(true);
    });
  }
  app.unmount();
});

test('a confirmation waits until an open prompt closes', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const submit = vi.fn<(text: string) => void>();
  setScreen(deck.screen, { overlay: prompting({ label: 'New file: ', submit }) });
  const asked = question(() => {});
  const first = confirm(deck, asked);
  const second = confirm(deck, { ...asked, title: 'another?' });
  press(deck, 'x', 'enter');
  expect(submit.mock.calls).toEqual([['x']]);
  await waitFor(() => expect(deck.screen.getState().overlay?.kind).toBe('question'));
  press(deck, 'escape');
  expect(await first).toBe(0);
  await waitFor(() =>
    expect(deck.screen.getState().overlay).toMatchObject({ question: { title: 'another?' } }),
  );
  press(deck, 'escape');
  expect(await second).toBe(0);
});

test('a late completion does not replace text typed meanwhile', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const prompt = { label: 'Upload: ', completions: () => promise, submit() {} };
  setScreen(deck.screen, { overlay: prompting(prompt, 'a') });
  press(deck, 'tab', 'x');
  resolve(['abc']);
  await promise;
  expect(deck.screen.getState().overlay).toMatchObject({ text: 'ax' });
  press(deck, 'backspace', 'tab');
  await waitFor(() => expect(deck.screen.getState().overlay).toMatchObject({ text: 'abc' }));
});

test('a prompt submits its text, and Tab completes it', async () => {
  await using open = await openDeck();
  const submit = vi.fn<(text: string) => void>();
  const completions = () => ['config/app.yaml'];
  const prompt = { label: 'New file: ', completions, submit };
  setScreen(open.deck.screen, { overlay: prompting(prompt) });
  press(open.deck, 'c', 'tab', '2', 'enter');
  expect(submit.mock.calls).toEqual([['config/app.yaml2']]);
});

test('Esc closes a prompt, and an empty one submits nothing', async () => {
  await using open = await openDeck();
  const submit = vi.fn<(text: string) => void>();
  setScreen(open.deck.screen, { overlay: prompting({ label: 'New file: ', submit }, 'x') });
  press(open.deck, 'escape');
  setScreen(open.deck.screen, { overlay: prompting({ label: 'New file: ', submit }) });
  press(open.deck, 'enter');
  expect(submit).not.toHaveBeenCalled();
  expect(open.deck.screen.getState().overlay).toBeUndefined();
});

test('a box without room for all lines counts the hidden ones', () => {
  const lines = ['one', 'two', 'three', 'four', 'five'];
  const asked = { ...question(() => {}), lines };
  const shown = (room: number) => confirmLines(confirmBox(asked), 36, room).map(textOf);
  expect(shown(6)).toEqual([...lines, '[Cancel]   Delete']);
  expect(shown(5)).toEqual(['one', 'two', 'three', '2 more below', '[Cancel]   Delete']);
  expect(shown(2)).toEqual(['5 more below', '[Cancel]   Delete']);
  const typed = typedLines(confirmBox({ ...asked, typed: 'x' }), 36, 4);
  expect(typed.above.map(textOf)).toEqual(['one', 'two', '3 more below']);
});

test('Enter does not answer a box hidden by a too small terminal', async () => {
  await using open = await openDeck();
  const { screen } = open.deck;
  const answer = vi.fn<(option: number) => void>();
  setScreen(screen, { overlay: confirmBox(question(answer)) });
  const view = render(
    <DeckContext value={open.deck}>
      <App />
    </DeckContext>,
  );
  const seenAt = () => {
    const { overlay } = screen.getState();
    return overlay?.kind === 'question' ? overlay.shownAt : undefined;
  };
  await waitFor(() => expect(seenAt()).toBeLessThan(Number.POSITIVE_INFINITY));
  const resize = (columns: number) => {
    Object.defineProperty(view.stdout, 'columns', { value: columns, configurable: true });
    view.stdout.emit('resize');
  };
  resize(30);
  await waitFor(() => expect(view.lastFrame()).toContain('hostdeck needs 40x10'));
  await waitFor(() => expect(seenAt()).toBe(Number.POSITIVE_INFINITY));
  press(open.deck, 'tab', 'enter');
  expect(answer).not.toHaveBeenCalled();
  resize(80);
  await waitFor(() => expect(seenAt()).toBeLessThan(Number.POSITIVE_INFINITY));
  view.unmount();
});
