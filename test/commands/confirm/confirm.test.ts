import { expect, it } from 'vitest';
import { type AskingTerminal, createConfirm } from '../../../source/commands/confirm/confirm.ts';

/** A terminal on which a person answers. */
function terminalWith(answer: string | undefined): {
  readonly written: string[];
  readonly open: () => AskingTerminal;
} {
  const written: string[] = [];
  return {
    written,
    open: () => ({
      write: (text) => void written.push(text),
      readLine: () => Promise.resolve(answer),
      close: () => void written.push('closed'),
    }),
  };
}

const { signal } = new AbortController();
const question = { facts: ['shop stops \u001b[2J'], question: 'Close shop?' };

it('asks on the terminal, with text from outside made safe', async () => {
  const terminal = terminalWith('y');
  const { ask } = createConfirm({ yes: false, signal, open: terminal.open });
  expect(await ask(question)).toBeUndefined();
  expect(terminal.written).toEqual(['shop stops ^[[2J\n', 'Close shop? [y/N] ', 'closed']);
});

it('takes anything but yes as no', async () => {
  for (const answer of ['', 'n', 'yep', 'x', undefined]) {
    const { ask } = createConfirm({ yes: false, signal, open: terminalWith(answer).open });
    await expect(ask(question)).rejects.toMatchObject({ problem: { exit: 1, code: 'cancelled' } });
  }
});

it('wants a name typed where that is asked for', async () => {
  const typed = { ...question, typed: 'shop' };
  const answer = (text: string) =>
    createConfirm({ yes: false, signal, open: terminalWith(text).open }).ask(typed);
  expect(await answer('shop')).toBeUndefined();
  await expect(answer('y')).rejects.toMatchObject({ problem: { exit: 1 } });
});

it('asks nothing with --yes, and needs it without a terminal', async () => {
  const open = () => undefined;
  expect(await createConfirm({ yes: true, signal, open }).ask(question)).toBeUndefined();
  const unasked = createConfirm({ yes: false, signal, open });
  expect(unasked.canAsk()).toBe(false);
  await expect(unasked.ask(question)).rejects.toMatchObject({
    problem: { exit: 2, next: 'Confirm with --yes.' },
  });
});
