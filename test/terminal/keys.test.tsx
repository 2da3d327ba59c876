import { once } from 'node:events';
import * as fc from 'fast-check';
import { Text, render, useInput, usePaste } from 'ink';
import type { Key } from 'ink';
import SelectInput from 'ink-select-input';
import TextInput from 'ink-text-input';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Answer,
  type KeyEvent,
  type KeyVerdict,
  type Keys,
  createKeys,
} from '../../source/terminal/keys.ts';
import { FakeInput, FakeOutput } from './fake-terminal.ts';

interface Keyboard {
  readonly keys: Keys;
  readonly input: FakeInput;
  readonly output: FakeOutput;
  /** Everything the root handler saw. */
  readonly seen: KeyEvent[];
  verdict: (event: KeyEvent) => KeyVerdict;
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function keyboard(verdict: (event: KeyEvent) => KeyVerdict = () => 'consumed'): Keyboard {
  const input = new FakeInput();
  const output = new FakeOutput();
  const keys = createKeys({ input: input.asStream(), output });
  const board: Keyboard = { keys, input, output, seen: [], verdict };
  keys.onKey((event) => {
    board.seen.push(event);
    return board.verdict(event);
  });
  keys.start();
  cleanups.push(() => keys.stop());
  return board;
}

/** Renders on the keyboard; resolves when Ink listens. */
async function show(board: Keyboard, node: ReactNode): Promise<void> {
  const listening = once(board.keys.stdin, 'newListener');
  const app = render(node, {
    stdin: board.keys.stdin,
    stdout: new FakeOutput().asStream(),
    patchConsole: false,
    exitOnCtrlC: false,
    interactive: true,
  });
  cleanups.push(() => app.unmount());
  await listening;
}

const passAll = (): KeyVerdict => 'pass';

const typed = Array.from({ length: 200 }, (_, index) =>
  String.fromCharCode(97 + (index % 26)),
).join('');

describe('the root handler', () => {
  test('gets 200 keys of one write in order, one per turn of the event loop', async () => {
    const board = keyboard();
    let turn = 0;
    const turns: number[] = [];
    const count = (): void => {
      turn++;
      if (turns.length < typed.length) setImmediate(count);
    };
    board.verdict = () => {
      turns.push(turn);
      return 'consumed';
    };
    setImmediate(count);
    board.input.write(typed);
    await vi.waitFor(() => expect(board.seen).toHaveLength(200));
    expect(board.seen.map((event) => event.text).join('')).toBe(typed);
    expect(new Set(turns).size).toBe(200);
  });

  test('is given what was typed before it was there', async () => {
    const input = new FakeInput();
    const keys = createKeys({ input: input.asStream(), output: new FakeOutput() });
    keys.start();
    cleanups.push(() => keys.stop());
    await input.type('ab');
    const seen: string[] = [];
    const off = keys.onKey((event) => {
      seen.push(event.name);
      return 'consumed';
    });
    await vi.waitFor(() => expect(seen).toEqual(['a', 'b']));
    off();
    await input.type('c');
    keys.onKey((event) => {
      seen.push(`second ${event.name}`);
      return 'consumed';
    });
    await vi.waitFor(() => expect(seen).toEqual(['a', 'b', 'second c']));
  });

  test('gets a lone Esc, and a key of several bytes that come one by one', async () => {
    const board = keyboard();
    board.input.write('\x1b');
    await vi.waitFor(() => expect(board.seen).toEqual([{ name: 'escape' }]));
    for (const byte of Buffer.from('\x1b[1;5Cé')) {
      await board.input.type(Buffer.from([byte]));
    }
    await vi.waitFor(() => expect(board.seen).toHaveLength(3));
    expect(board.seen.slice(1).map((event) => event.name)).toEqual(['ctrl+right', 'é']);
  });
});

describe('answers of the terminal', () => {
  function listening(): { keys: Keys; input: FakeInput; heard: Answer[] } {
    const input = new FakeInput();
    const keys = createKeys({ input: input.asStream(), output: new FakeOutput() });
    const heard: Answer[] = [];
    keys.onAnswer((answer) => heard.push(answer));
    keys.start();
    cleanups.push(() => keys.stop());
    return { keys, input, heard };
  }

  test('are heard at once, past keys that wait for a handler', async () => {
    const { keys, input, heard } = listening();
    await input.type(`${typed}\x1b[0nq`);
    expect(heard).toEqual([{ kind: 'status' }]);
    const seen: KeyEvent[] = [];
    keys.onKey((event) => {
      seen.push(event);
      return 'consumed';
    });
    await vi.waitFor(() => expect(seen.map(({ text }) => text).join('')).toBe(`${typed}q`));
  });

  test('are heard while keys are held', async () => {
    const { keys, input, heard } = listening();
    keys.onKey(() => 'consumed');
    keys.hold();
    await input.type('j\x1b[?1u\x1b[0n');
    expect(heard).toEqual([{ kind: 'keyboard', flags: 1 }, { kind: 'status' }]);
  });

  test('are heard by all who listen, until they stop listening', async () => {
    const { keys, input, heard } = listening();
    let others = 0;
    const off = keys.onAnswer(() => others++);
    await input.type('\x1b[0n');
    off();
    await input.type('\x1b[0n');
    expect([heard.length, others]).toEqual([2, 1]);
  });

  test('may stop the keyboard, and what was read with them is gone', async () => {
    const { keys, input, heard } = listening();
    keys.onAnswer(() => keys.stop());
    await input.type('\x1b[0n\x1b[0nj');
    expect(heard).toHaveLength(1);
    const seen: KeyEvent[] = [];
    keys.onKey((event) => {
      seen.push(event);
      return 'consumed';
    });
    keys.start();
    await input.type('k');
    await vi.waitFor(() => expect(seen.map(({ name }) => name)).toEqual(['k']));
  });
});

describe('holding', () => {
  test('keeps keys back for a field that is about to mount', async () => {
    const board = keyboard();
    const changes: string[] = [];
    function Field(): ReactNode {
      const [value, setValue] = useState('');
      const change = (next: string): void => {
        changes.push(next);
        setValue(next);
      };
      return <TextInput value={value} onChange={change} />;
    }
    board.verdict = (event) => {
      if (event.name !== ':') return 'pass';
      board.keys.hold();
      void show(board, <Field />).then(() => board.keys.release());
      return 'consumed';
    };
    board.input.write(':quit');
    await vi.waitFor(() => expect(changes.at(-1)).toBe('quit'));
  });

  test('ends by itself after a second', async () => {
    const timers = {
      now: () => 0,
      setTimeout: vi.fn((callback: () => void) => setTimeout(callback, 0)),
      clearTimeout,
      setImmediate,
    };
    const input = new FakeInput();
    const keys = createKeys({ input: input.asStream(), output: new FakeOutput(), timers });
    const seen: string[] = [];
    keys.onKey((event) => {
      seen.push(event.name);
      return 'consumed';
    });
    keys.start();
    cleanups.push(() => keys.stop());
    keys.hold();
    expect(timers.setTimeout).toHaveBeenLastCalledWith(expect.anything(), 1000);
    input.write('a');
    await vi.waitFor(() => expect(seen).toEqual(['a']));
  });
});

describe('the terminal', () => {
  test('is in raw mode with bracketed paste while running, and as before afterwards', async () => {
    const { keys, input, output, seen } = keyboard();
    expect(input.isRaw).toBe(true);
    expect(output.written).toBe('\x1b[?2004h');
    keys.stop();
    expect(input.isRaw).toBe(false);
    expect(output.written).toBe('\x1b[?2004h\x1b[?2004l');
    expect(input.listenerCount('data')).toBe(0);
    keys.reassert();
    expect(input.isRaw).toBe(false);
    keys.start();
    keys.start();
    expect(input.isRaw).toBe(true);
    const before = output.written;
    keys.reassert();
    expect(input.isRaw).toBe(true);
    expect(output.written).toBe(`${before}\x1b[?2004l\x1b[?2004h`);
    input.write('j');
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    keys.stop();
    keys.stop();
    expect(input.isRaw).toBe(false);
  });

  test('keeps its modes when Ink takes and gives back its input', async () => {
    const board = keyboard(passAll);
    function Once(): ReactNode {
      useInput(() => {});
      return <Text>x</Text>;
    }
    await show(board, <Once />);
    cleanups.pop()?.();
    expect(board.input.isRaw).toBe(true);
  });
});

describe('Ink', () => {
  test('gets 200 keys of one write in order through ink-text-input', async () => {
    const board = keyboard(passAll);
    let submitted: string | undefined;
    function Field(): ReactNode {
      const [value, setValue] = useState('');
      return (
        <TextInput value={value} onChange={setValue} onSubmit={(text) => (submitted = text)} />
      );
    }
    await show(board, <Field />);
    board.input.write(`${typed}\x7f\x1b[D!\r`);
    await vi.waitFor(() => expect(submitted).toBeDefined());
    expect(submitted).toBe(`${typed.slice(0, 198)}!${typed[198]}`);
  });

  test('gets 200 keys of one write in order through ink-select-input', async () => {
    const board = keyboard(passAll);
    const items = Array.from({ length: 250 }, (_, index) => ({ label: `${index}`, value: index }));
    const highlighted: number[] = [];
    let selected: number | undefined;
    await show(
      board,
      <SelectInput
        items={items}
        limit={5}
        onHighlight={(item) => highlighted.push(item.value)}
        onSelect={(item) => (selected = item.value)}
      />,
    );
    board.input.write(`${'j'.repeat(100)}${'\x1b[B'.repeat(100)}\r`);
    await vi.waitFor(() => expect(selected).toBe(200));
    expect(highlighted).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  test('gets a paste as a paste and none of it as input', async () => {
    const board = keyboard(passAll);
    const pastes: string[] = [];
    const inputs: string[] = [];
    function Root(): ReactNode {
      useInput((input) => inputs.push(input));
      usePaste((text) => pastes.push(text));
      return <Text>x</Text>;
    }
    await show(board, <Root />);
    const text = 'q\x1b[A\nX\u001b'.repeat(2000);
    await board.input.type(`a\x1b[200~${text}`);
    board.input.write('\x1b[201~b');
    await vi.waitFor(() => expect(inputs).toEqual(['a', 'b']));
    expect(pastes).toEqual([text]);
  });

  test('is not given later what it had no field for', async () => {
    const board = keyboard(passAll);
    board.input.write('lost');
    await vi.waitFor(() => expect(board.seen).toHaveLength(4));
    const inputs: string[] = [];
    function Field(): ReactNode {
      useInput((input) => inputs.push(input));
      return <Text>x</Text>;
    }
    await show(board, <Field />);
    board.input.write('x');
    await vi.waitFor(() => expect(inputs).toEqual(['x']));
  });

  const pressed: readonly (readonly [string, string, Partial<Key>])[] = [
    ['a', 'a', {}],
    ['A', 'A', { shift: true }],
    ['日', '日', {}],
    [' ', ' ', {}],
    ['\r', '\r', { return: true }],
    ['\t', '', { tab: true }],
    ['\x1b[Z', '', { tab: true, shift: true }],
    ['\x7f', '', { backspace: true }],
    ['\x1b[3~', '', { delete: true }],
    ['\x1bOA', '', { upArrow: true }],
    ['\x1b[B', '', { downArrow: true }],
    ['\x1b[1;5C', '', { rightArrow: true, ctrl: true }],
    ['\x1b[1;2D', '', { leftArrow: true, shift: true }],
    ['\x1b[7~', '', { home: true }],
    ['\x1bOF', '', { end: true }],
    ['\x1b[5~', '', { pageUp: true }],
    ['\x1b[6~', '', { pageDown: true }],
    ['\x1bOP', '', {}],
    ['\x1b[1;2R', '', { shift: true }],
    ['\x04', 'd', { ctrl: true }],
    ['\n', 'j', { ctrl: true }],
    ['\x00', ' ', { ctrl: true }],
    ['\x1f', '_', { ctrl: true }],
    ['\x1bx', 'x', { meta: true }],
    ['\x1b\x04', 'd', { ctrl: true, meta: true }],
    ['\x1b[27u', '', { escape: true }],
  ];

  test('understands every key as the one it is, in any order and without a pause', async () => {
    const board = keyboard(passAll);
    const inputs: { input: string; held: Partial<Key> }[] = [];
    function Root(): ReactNode {
      useInput((input, key) => {
        const held = Object.entries(key).filter(([, value]) => value === true);
        inputs.push({ input, held: Object.fromEntries(held) });
      });
      return <Text>x</Text>;
    }
    await show(board, <Root />);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pressed), { minLength: 1 }), async (presses) => {
        inputs.length = 0;
        board.input.write(presses.map(([sequence]) => sequence).join(''));
        await vi.waitFor(() => expect(inputs).toHaveLength(presses.length), { interval: 5 });
        expect(inputs).toEqual(presses.map(([, input, held]) => ({ input, held })));
      }),
      { numRuns: 50 },
    );
  });
});
