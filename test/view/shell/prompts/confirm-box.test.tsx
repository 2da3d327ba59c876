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
import { boxShape } from '../../../../source/view/text/box-shape.ts';
import { answerRows } from '../../../../source/view/text/confirm-lines.ts';
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
    escape: 'cancel',
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

const frame = boxShape(80, 24);
const sheet = boxShape(40, 12);

test('options with meanings are a list in a frame; a sheet explains the chosen one', () => {
  const options = [
    { label: 'Keep editing', meaning: 'nothing is sent, the draft is kept here' },
    { label: 'Compare', meaning: 'diff' },
    { label: 'Overwrite', meaning: 'replaces the file' },
    { label: 'Use theirs', meaning: 'discards the draft' },
  ] as const;
  const box = confirmBox({ ...question(() => {}), options });
  expect(answerRows(box, frame, 1).map(textOf).slice(0, 2)).toEqual([
    '> Keep editing      nothing is sent, the draft is kept here',
    '  Compare           diff',
  ]);
  expect(answerRows(box, sheet, 1).map(textOf)).toEqual([
    '> Keep editing',
    '    nothing is sent, the draft is kept',
    '    here',
    '  Compare',
    '  Overwrite',
    '  Use theirs',
  ]);
  expect(answerRows({ ...box, chosen: 3 }, sheet, 1).map(textOf)).toEqual([
    '  Keep editing',
    '  Compare',
    '  Overwrite',
    '> Use theirs    discards the draft',
    '',
    '',
  ]);
});

test('the chosen option of a list is visible above any number of others', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 30 }),
      fc.nat(),
      fc.integer({ min: 10, max: 30 }),
      (lines, count, at, rows) => {
        const options = Array.from({ length: count }, (_, index) => ({
          label: `Do ${index}`,
          meaning: index % 2 === 0 ? 'this' : 'this is explained below the option',
        }));
        const [first, ...others] = options;
        if (first === undefined) return;
        const chosen = at % count;
        const shape = boxShape(rows < 16 ? 40 : 80, rows);
        const box = confirmBox({ ...question(() => {}), options: [first, ...others] });
        const shown = answerRows({ ...box, chosen }, shape, lines).map(textOf);
        expect(shown.length).toBeLessThan(shape.room);
        expect(shown.find((row) => row.startsWith('> '))).toMatch(`> Do ${chosen}`);
      },
    ),
  );
});

test('all buttons are visible at any width', () => {
  const labels = ['Cancel', 'Restart now', 'Leave unapplied for long'];
  const box = confirmBox({ ...question(() => {}), options: [{ label: 'x' }] });
  const options = [{ label: 'Cancel' }, ...labels.slice(1).map((label) => ({ label }))] as const;
  for (const [chosen, label] of labels.entries()) {
    const asked = { ...box, chosen, question: { ...box.question, options } };
    const rows = answerRows(asked, sheet, 3).map(textOf);
    expect(rows.every((row) => row.length <= 40)).toBe(true);
    expect(rows.join(' ')).toContain(`[${label}]`);
    for (const other of labels) expect(rows.join(' ')).toContain(other);
  }
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
  const tabbed = { ...question(() => {}), title: 'delete a\tb?', lines: ['a\tb'] };
  setScreen(open.deck.screen, { overlay: confirmBox(tabbed) });
  await waitFor(() => expect(app.lastFrame()).toMatch(/delete a\^Ib\?[^]*│ a\^Ib/));
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

/** Draws the app on a terminal of this size. */
function drawApp(deck: Deck, columns: number, rows: number) {
  const view = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  Object.defineProperty(view.stdout, 'columns', { value: columns, configurable: true });
  Object.defineProperty(view.stdout, 'rows', { value: rows, configurable: true });
  view.stdout.emit('resize');
  return {
    ...view,
    rows: () => (view.lastFrame() ?? '').split('\n').map((row) => row.trimEnd()),
  };
}

test('on a small terminal a box is a sheet whose text scrolls above its buttons', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const lines = Array.from({ length: 16 }, (_, index) => `line ${index + 1}`);
  show(deck, { ...question(() => {}), title: 'create worker?', lines });
  const app = drawApp(deck, 40, 12);
  await waitFor(() =>
    expect(app.rows()[1]).toBe(` test: create worker? ${'━'.repeat(10)} 8 of 16`),
  );
  expect(app.rows().slice(2)).toEqual([
    ...lines.slice(0, 8),
    '[Cancel]   Delete',
    'Tab  PgUp/PgDn  Enter  Esc cancel',
  ]);
  press(deck, 'pagedown', 'pagedown', 'pagedown');
  await waitFor(() => expect(app.rows()[1]).toMatch(/ 16 of 16$/));
  expect(app.rows()[9]).toBe('line 16');
  expect(app.rows()[10]).toBe('[Cancel]   Delete');
  press(deck, 'tab', 'pageup');
  await waitFor(() => expect(app.rows()[2]).toBe('line 1'));
  expect(app.rows()[10]).toBe('Cancel   [Delete]');
  app.unmount();
});

test('a field stays visible below a text that scrolls', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const lines = Array.from({ length: 16 }, (_, index) => `line ${index + 1}`);
  show(deck, { ...question(() => {}, 'shop'), lines });
  const app = drawApp(deck, 40, 12);
  await waitFor(() => expect(app.rows()[1]).toMatch(/ 6 of 16$/));
  press(deck, 'pagedown', 's', 'h');
  await waitFor(() => expect(app.rows()[8]).toBe('Type shop: sh'));
  expect(app.rows().slice(2, 8)).toEqual(lines.slice(6, 12));
  expect(app.rows().slice(9, 11)).toEqual(['[Cancel]', 'Delete (type the name to enable)']);
  app.unmount();
});

test('a box is framed from 60x16 up, and a sheet below', async () => {
  await using open = await openDeck();
  for (const [columns, rows] of [
    [60, 16],
    [80, 24],
    [59, 24],
    [80, 15],
  ] as const) {
    show(
      open.deck,
      question(() => {}),
    );
    const app = drawApp(open.deck, columns, rows);
    const isSheet = columns < 60 || rows < 16;
    await waitFor(() =>
      expect(app.rows().join('\n')).toMatch(
        isSheet ? /\n test: delete app\.yaml\? ━+\n/ : /┌ test: delete app\.yaml\? ─+┐/,
      ),
    );
    app.unmount();
  }
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
