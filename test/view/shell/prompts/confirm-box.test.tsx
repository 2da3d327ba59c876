import * as fc from 'fast-check';
import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import { prompting } from '../../../../source/store/prompts/prompt.ts';
import { asking, type Question } from '../../../../source/store/prompts/confirm.ts';
import { boxAnswersAfter } from '../../../../source/store/deck/screen.ts';
import { ask } from '../../../../source/view/command/confirm.ts';
import { App } from '../../../../source/view/shell/app.tsx';
import { ConsoleContext } from '../../../../source/view/parts/context.ts';
import type { Line } from '../../../../source/view/text/line.ts';
import { questionLines, typedLines } from '../../../../source/view/text/confirm-lines.ts';
import { openConsole } from '../../open-deck.ts';
import type { Console } from '../../../../source/store/deck/deck.ts';
import { press } from '../../press-keys.ts';
import { waitFor } from '../../../support/wait-for.ts';

function question(answer: (option: number) => void, typed?: string): Question {
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

/** Puts the box up as if it had stood there long enough to be read. */
function show(console: Console, asked: Question): void {
  const shownAt = console.clock.now() - boxAnswersAfter;
  console.screen.setState({ overlay: { ...asking(asked), shownAt } });
}

test('a box opens on its first option, and Enter there does nothing else', async () => {
  await using open = await openConsole();
  const answer = vi.fn<(option: number) => void>();
  show(open.console, question(answer));
  press(open.console, 'enter');
  expect(answer.mock.calls).toEqual([[0]]);
  expect(open.console.screen.getState().overlay).toBeUndefined();
});

test('Tab and arrows choose, Esc answers as the first option', async () => {
  await using open = await openConsole();
  const answer = vi.fn<(option: number) => void>();
  show(open.console, question(answer));
  press(open.console, 'tab', 'enter');
  show(open.console, question(answer));
  press(open.console, 'right', 'escape');
  expect(answer.mock.calls).toEqual([[1], [0]]);
});

test('Enter that was typed before the box could be read answers nothing', async () => {
  await using open = await openConsole();
  const answer = vi.fn<(option: number) => void>();
  open.console.screen.setState({ overlay: asking(question(answer)) });
  press(open.console, 'tab', 'enter', 'y');
  expect(answer).not.toHaveBeenCalled();
  expect(open.console.screen.getState().overlay?.kind).toBe('question');
});

test('where a word is wanted, the last option answers only with that word', async () => {
  await using open = await openConsole();
  const answer = vi.fn<(option: number) => void>();
  show(open.console, question(answer, 'shop'));
  press(open.console, 's', 'h', 'o', 'tab', 'enter');
  expect(answer).not.toHaveBeenCalled();
  press(open.console, 'p', 'enter');
  expect(answer.mock.calls).toEqual([[1]]);
});

test('options with meanings stand one below the other', () => {
  const lines = questionLines(
    asking({
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

test('however low the terminal, the chosen option is among what is seen', () => {
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
        const box = asking({
          ...question(() => {}),
          lines: Array.from({ length: said }, () => 'It is so.'),
          options: [first, ...others],
        });
        const rows = questionLines({ ...box, chosen }, 60, room).map(textOf);
        expect(rows.length).toBeLessThanOrEqual(room);
        expect(rows.find((row) => row.startsWith('> '))).toMatch(`> Do ${chosen} `);
      },
    ),
  );
});

test('however narrow the terminal, the chosen button is seen whole', () => {
  const labels = ['Cancel', 'Restart now', 'Leave unapplied for long'];
  const box = asking({ ...question(() => {}), options: [{ label: 'x' }] });
  const options = [{ label: 'Cancel' }, ...labels.slice(1).map((label) => ({ label }))] as const;
  const seen = labels.map((_, chosen) => {
    const asked = { ...box, chosen, question: { ...box.question, options } };
    return textOf(questionLines(asked, 34, 6).at(-1) ?? []).slice(0, 34);
  });
  for (const [index, label] of labels.entries()) expect(seen[index]).toContain(`[${label}]`);
});

test('the box names the profile and what is asked', async () => {
  await using open = await openConsole();
  const app = render(
    <ConsoleContext value={open.console}>
      <App />
    </ConsoleContext>,
  );
  open.console.screen.setState({ overlay: asking(question(() => {}, 'shop')) });
  await waitFor(() => expect(app.lastFrame()).toContain('test: delete app.yaml?'));
  expect(app.lastFrame()).toContain('Type shop:');
  expect(app.lastFrame()).toContain('Delete (name does not match yet)');
  app.unmount();
});

test('a box that follows another in its place can be answered too', async () => {
  await using open = await openConsole();
  const { console } = open;
  const app = render(
    <ConsoleContext value={console}>
      <App />
    </ConsoleContext>,
  );
  for (const title of ['first?', 'second?']) {
    console.screen.setState({ overlay: asking({ ...question(() => {}), title }) });
    await waitFor(() => {
      const { overlay } = console.screen.getState();
      expect(overlay?.kind === 'question' && Number.isFinite(overlay.shownAt)).toBe(true);
    });
  }
  app.unmount();
});

test('a question that comes while something is typed waits until that is done', async () => {
  await using open = await openConsole();
  const { console } = open;
  const submit = vi.fn<(text: string) => void>();
  console.screen.setState({ overlay: prompting({ label: 'New file: ', submit }) });
  const asked = question(() => {});
  const first = ask(console, asked);
  const second = ask(console, { ...asked, title: 'another?' });
  press(console, 'x', 'enter');
  expect(submit.mock.calls).toEqual([['x']]);
  await waitFor(() => expect(console.screen.getState().overlay?.kind).toBe('question'));
  press(console, 'escape');
  expect(await first).toBe(0);
  await waitFor(() =>
    expect(console.screen.getState().overlay).toMatchObject({ question: { title: 'another?' } }),
  );
  press(console, 'escape');
  expect(await second).toBe(0);
});

test('a completion that comes late leaves what was typed meanwhile alone', async () => {
  await using open = await openConsole();
  const { console } = open;
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const prompt = { label: 'Upload: ', completions: () => promise, submit() {} };
  console.screen.setState({ overlay: prompting(prompt, 'a') });
  press(console, 'tab', 'x');
  resolve(['abc']);
  await promise;
  expect(console.screen.getState().overlay).toMatchObject({ text: 'ax' });
  press(console, 'backspace', 'tab');
  await waitFor(() => expect(console.screen.getState().overlay).toMatchObject({ text: 'abc' }));
});

test('a prompt hands over what was typed, and Tab completes it', async () => {
  await using open = await openConsole();
  const submit = vi.fn<(text: string) => void>();
  const completions = () => ['config/app.yaml'];
  const prompt = { label: 'New file: ', completions, submit };
  open.console.screen.setState({ overlay: prompting(prompt) });
  press(open.console, 'c', 'tab', '2', 'enter');
  expect(submit.mock.calls).toEqual([['config/app.yaml2']]);
});

test('Esc leaves a prompt, and an empty one hands nothing over', async () => {
  await using open = await openConsole();
  const submit = vi.fn<(text: string) => void>();
  open.console.screen.setState({ overlay: prompting({ label: 'New file: ', submit }, 'x') });
  press(open.console, 'escape');
  open.console.screen.setState({ overlay: prompting({ label: 'New file: ', submit }) });
  press(open.console, 'enter');
  expect(submit).not.toHaveBeenCalled();
  expect(open.console.screen.getState().overlay).toBeUndefined();
});

test('a box that has no room for all it says tells how much more there is', () => {
  const lines = ['one', 'two', 'three', 'four', 'five'];
  const asked = { ...question(() => {}), lines };
  const shown = (room: number) => questionLines(asking(asked), 36, room).map(textOf);
  expect(shown(6)).toEqual([...lines, '[Cancel]   Delete']);
  expect(shown(5)).toEqual([
    'one',
    'two',
    'three',
    '2 more lines in a taller window',
    '[Cancel]   Delete',
  ]);
  expect(shown(2)).toEqual(['5 more lines in a taller window', '[Cancel]   Delete']);
  const typed = typedLines(asking({ ...asked, typed: 'x' }), 36, 4);
  expect(typed.above.map(textOf)).toEqual(['one', 'two', '3 more lines in a taller window']);
});

test('a box that a terminal too small shows no longer is answered by no Enter', async () => {
  await using open = await openConsole();
  const { screen } = open.console;
  const answer = vi.fn<(option: number) => void>();
  screen.setState({ overlay: asking(question(answer)) });
  const view = render(
    <ConsoleContext value={open.console}>
      <App />
    </ConsoleContext>,
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
  press(open.console, 'tab', 'enter');
  expect(answer).not.toHaveBeenCalled();
  resize(80);
  await waitFor(() => expect(seenAt()).toBeLessThan(Number.POSITIVE_INFINITY));
  view.unmount();
});
