import { once } from 'node:events';
import * as fc from 'fast-check';
import { Text, render, useInput, usePaste } from 'ink';
import type { Key } from 'ink';
import SelectInput from 'ink-select-input';
import TextInput from 'ink-text-input';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { KeyDecision } from '../../../source/terminal/keys/key-queue.ts';
import { type Keys, createKeys } from '../../../source/terminal/keys/keys.ts';
import { FakeInput, FakeOutput } from '../fake-terminal.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { TerminalAnswer } from '../../../source/terminal/link/answers.ts';
import type { KeyEvent } from '../../../source/terminal/keys/key-sequences.ts';

interface Keyboard {
  readonly keys: Keys;
  readonly input: FakeInput;
  readonly output: FakeOutput;
  /** All keys that the root handler received. */
  readonly seen: KeyEvent[];
  verdict: (event: KeyEvent) => KeyDecision;
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function keyboard(verdict: (event: KeyEvent) => KeyDecision = () => 'consumed'): Keyboard {
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

/** Renders with the keyboard as input; resolves when Ink reads it. */
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

const passAll = (): KeyDecision => 'pass';

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
    await waitFor(() => expect(board.seen).toHaveLength(200));
    expect(board.seen.map((event) => event.text).join('')).toBe(typed);
    expect(new Set(turns).size).toBe(200);
  });

  test('gets the keys typed before it was set', async () => {
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
    await waitFor(() => expect(seen).toEqual(['a', 'b']));
    off();
    await input.type('c');
    keys.onKey((event) => {
      seen.push(`second ${event.name}`);
      return 'consumed';
    });
    await waitFor(() => expect(seen).toEqual(['a', 'b', 'second c']));
  });

  test('gets a lone Esc, and a key whose bytes arrive one by one', async () => {
    const board = keyboard();
    board.input.write('\x1b');
    await waitFor(() => expect(board.seen).toEqual([{ name: 'escape' }]));
    for (const byte of Buffer.from('\x1b[1;5Cé')) {
      await board.input.type(Buffer.from([byte]));
    }
    await waitFor(() => expect(board.seen).toHaveLength(3));
    expect(board.seen.slice(1).map((event) => event.name)).toEqual(['ctrl+right', 'é']);
  });
});

describe('answers of the terminal', () => {
  function listening(): { keys: Keys; input: FakeInput; heard: TerminalAnswer[] } {
    const input = new FakeInput();
    const keys = createKeys({ input: input.asStream(), output: new FakeOutput() });
    const heard: TerminalAnswer[] = [];
    keys.onAnswer((answer) => heard.push(answer));
    keys.start();
    cleanups.push(() => keys.stop());
    return { keys, input, heard };
  }

  test('arrive at once, before keys that wait for a handler', async () => {
    const { keys, input, heard } = listening();
    await input.type(`${typed}\x1b[0nq`);
    expect(heard).toEqual([{ kind: 'status' }]);
    const seen: KeyEvent[] = [];
    keys.onKey((event) => {
      seen.push(event);
      return 'consumed';
    });
    await waitFor(() => expect(seen.map(({ text }) => text).join('')).toBe(`${typed}q`));
  });

  test('arrive while keys are held', async () => {
    const { keys, input, heard } = listening();
    keys.onKey(() => 'consumed');
    keys.hold();
    await input.type('j\x1b[?1u\x1b[0n');
    expect(heard).toEqual([{ kind: 'keyboard', flags: 1 }, { kind: 'status' }]);
  });

  test('arrive at all listeners until these are removed', async () => {
    const { keys, input, heard } = listening();
    let others = 0;
    const off = keys.onAnswer(() => others++);
    await input.type('\x1b[0n');
    off();
    await input.type('\x1b[0n');
    expect([heard.length, others]).toEqual([2, 1]);
  });

  test('may stop the keyboard, which drops keys of the same chunk', async () => {
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
    await waitFor(() => expect(seen.map(({ name }) => name)).toEqual(['k']));
  });
});

describe('a hold', () => {
  test('delays keys for a field that is about to mount', async () => {
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
    await waitFor(() => expect(changes.at(-1)).toBe('quit'));
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
    await waitFor(() => expect(seen).toEqual(['a']));
  });
});

describe('the terminal', () => {
  test('is in raw mode with bracketed paste while running, and restored afterwards', async () => {
    const { keys, input, output, seen } = keyboard();
    expect(input.isRaw).toBe(true);
    expect(output.written).toBe('\x1b[?2004h\x1b[?u\x1b[c');
    await input.type('\x1b[?62c');
    keys.stop();
    expect(input.isRaw).toBe(false);
    expect(output.written).toBe('\x1b[?2004h\x1b[?u\x1b[c\x1b[?2004l');
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
    await waitFor(() => expect(seen).toHaveLength(1));
    keys.stop();
    keys.stop();
    expect(input.isRaw).toBe(false);
  });

  test('gets the kitty protocol as soon as it offers it, and keeps it across a stop', async () => {
    const { keys, input, output } = keyboard();
    const written = (): string => output.written.slice(start);
    let start = output.written.length;
    await input.type('\x1b[?0u\x1b[?62c');
    expect(written()).toBe('\x1b[>5u\x1b[?u');
    await input.type('\x1b[?5u');
    keys.reassert();
    expect(written()).toBe('\x1b[>5u\x1b[?u\x1b[<u\x1b[?2004l\x1b[?2004h\x1b[>5u\x1b[?u');
    keys.stop();
    start = output.written.length;
    keys.start();
    expect(written()).toBe('\x1b[?2004h\x1b[>5u\x1b[?u');
    keys.stop();
    expect(written()).toBe('\x1b[?2004h\x1b[>5u\x1b[?u\x1b[<u\x1b[?2004l');
  });

  test('gets the request again if it had no time to answer, and late answers do no harm', async () => {
    const { keys, input, output, seen } = keyboard();
    keys.stop();
    keys.start();
    expect(output.written.endsWith('\x1b[?2004h\x1b[?u\x1b[c')).toBe(true);
    await input.type('\x1b[?0u\x1b[?62c\x1b[?0u\x1b[?62cj');
    expect(output.written.split('\x1b[>5u')).toHaveLength(2);
    await waitFor(() => expect(seen).toEqual([{ name: 'j', text: 'j' }]));
  });

  test('is read including keys typed ahead, when Enter was a newline', async () => {
    const input = new FakeInput();
    input.write('/pay\n');
    const keys = createKeys({ input: input.asStream(), output: new FakeOutput() });
    const seen: string[] = [];
    keys.onKey(({ name }) => {
      seen.push(name);
      return 'consumed';
    });
    keys.start();
    cleanups.push(() => keys.stop());
    await waitFor(() => expect(seen).toEqual(['/', 'p', 'a', 'y', 'enter']));
    await input.type('\n');
    await waitFor(() => expect(seen.at(-1)).toBe('ctrl+j'));
  });

  test('keeps an unfinished key across a stop by job control', async () => {
    const { keys, input, seen } = keyboard();
    await input.type('j\x1b[1;');
    keys.reassert();
    await input.type('5C');
    await waitFor(() => expect(seen.map(({ name }) => name)).toEqual(['j', 'ctrl+right']));
  });

  test('continues a paste or a key that a stop interrupted', async () => {
    const { keys, input, seen } = keyboard();
    await input.type('\x1b[1;');
    keys.stop();
    keys.start();
    await input.type('5C\x1b[200~a');
    keys.stop();
    keys.start();
    await input.type('b:q\x1b[201~');
    await waitFor(() => expect(seen).toHaveLength(2));
    expect(seen).toEqual([{ name: 'ctrl+right' }, { name: 'paste', text: 'ab:q' }]);
  });

  test('discards an interrupted paste or key after a while', async () => {
    let now = 0;
    const input = new FakeInput();
    const timers = { now: () => now, setTimeout, clearTimeout, setImmediate };
    const keys = createKeys({ input: input.asStream(), output: new FakeOutput(), timers });
    const seen: KeyEvent[] = [];
    keys.onKey((event) => {
      seen.push(event);
      return 'consumed';
    });
    keys.start();
    cleanups.push(() => keys.stop());
    await input.type('\x1b');
    keys.stop();
    now = 5000;
    keys.start();
    await input.type('j');
    await waitFor(() => expect(seen).toEqual([{ name: 'j', text: 'j' }]));
  });

  test('keeps its modes when Ink starts and stops reading', async () => {
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

describe('leaving', () => {
  test('restores the modes at once, and the input when all answers have arrived', async () => {
    const { keys, input, output, seen } = keyboard();
    const heard: TerminalAnswer[] = [];
    keys.onAnswer((answer) => heard.push(answer));
    await input.type('\x1b[?0u\x1b[?62c');
    let hasLeft = false;
    const left = keys.leave().then(() => (hasLeft = true));
    expect(output.written.endsWith('\x1b[>5u\x1b[?u\x1b[<u\x1b[?2004l\x1b[c')).toBe(true);
    await input.type('j\x1b[0n\x1b[?5u');
    expect([hasLeft, input.isRaw]).toEqual([false, true]);
    await input.type('\x1b[?62cls');
    await left;
    expect(input.isRaw).toBe(false);
    const kinds = heard.map(({ kind }) => kind).join(' ');
    expect(kinds).toBe('keyboard attributes status keyboard attributes');
    expect(output.written.endsWith('\x1b[c')).toBe(true);
    keys.start();
    await input.type('k');
    await waitFor(() => expect(seen.map(({ name }) => name)).toEqual(['k']));
  });

  test('waits for the answer to its own question, not to an earlier one', async () => {
    const { keys, input } = keyboard();
    const left = keys.leave();
    await input.type('\x1b[?62c');
    expect(input.isRaw).toBe(true);
    await input.type('\x1b[?62c');
    await left;
    expect(input.isRaw).toBe(false);
  });

  test('ends after half a second without an answer, and at once if none ever came', async () => {
    let now = 0;
    const timers = {
      now: () => now,
      setTimeout: vi.fn((callback: () => void) => setTimeout(callback, 0)),
      clearTimeout,
      setImmediate,
    };
    const input = new FakeInput();
    const keys = createKeys({ input: input.asStream(), output: new FakeOutput(), timers });
    keys.start();
    now = 499;
    const left = keys.leave();
    expect(input.isRaw).toBe(true);
    expect(timers.setTimeout).toHaveBeenLastCalledWith(expect.anything(), 500);
    await left;
    expect(input.isRaw).toBe(false);
    keys.start();
    now = 999;
    void keys.leave();
    expect(input.isRaw).toBe(false);
  });

  test('ends when the keyboard is stopped or started meanwhile', async () => {
    const { keys, input, seen } = keyboard();
    const left = keys.leave();
    keys.reassert();
    keys.stop();
    await left;
    expect(input.isRaw).toBe(false);
    keys.start();
    const again = keys.leave();
    keys.start();
    await again;
    expect(input.isRaw).toBe(true);
    await input.type('j');
    await waitFor(() => expect(seen.map(({ name }) => name)).toEqual(['j']));
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
    await waitFor(() => expect(submitted).toBeDefined());
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
    await waitFor(() => expect(selected).toBe(200));
    expect(highlighted).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  test('gets a paste as a paste, and never as input', async () => {
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
    await waitFor(() => expect(inputs).toEqual(['a', 'b']));
    expect(pastes).toEqual([text]);
  });

  test('never gets keys that were typed while it had no field', async () => {
    const board = keyboard(passAll);
    board.input.write('lost');
    await waitFor(() => expect(board.seen).toHaveLength(4));
    const inputs: string[] = [];
    function Field(): ReactNode {
      useInput((input) => inputs.push(input));
      return <Text>x</Text>;
    }
    await show(board, <Field />);
    board.input.write('x');
    await waitFor(() => expect(inputs).toEqual(['x']));
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

  test('recognises every key, in any order and without pauses', async () => {
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
    await board.input.type('\x1b[0n'); // No key is typed ahead from here on.
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pressed), { minLength: 1 }), async (presses) => {
        inputs.length = 0;
        board.input.write(presses.map(([sequence]) => sequence).join(''));
        await waitFor(() => expect(inputs).toHaveLength(presses.length));
        expect(inputs).toEqual(presses.map(([, input, held]) => ({ input, held })));
      }),
      { numRuns: 50 },
    );
  });
});

describe('the mouse', () => {
  const modes = (written: string): readonly string[] =>
    // eslint-disable-next-line no-control-regex
    [...written.matchAll(/\x1b\[\?(1\d\d\d[hl])/g)].map(([, mode = '']) => mode);

  test('is reported only while it is wanted and the keyboard runs', () => {
    const { keys, output } = keyboard();
    expect(modes(output.written)).toEqual([]);
    keys.setMouse(true);
    keys.setMouse(true);
    expect(modes(output.written)).toEqual(['1000h', '1006h']);
    keys.stop();
    expect(modes(output.written).slice(2)).toEqual(['1006l', '1000l']);
    keys.start();
    expect(modes(output.written).slice(4)).toEqual(['1000h', '1006h']);
    keys.setMouse(false);
    keys.stop();
    expect(modes(output.written).slice(6)).toEqual(['1006l', '1000l']);
  });

  test('has its clicks in order among the keys', async () => {
    const { keys, input, seen } = keyboard();
    const order: string[] = [];
    keys.onMouse(({ x, y }) => {
      order.push(`${seen.length} ${x},${y}`);
      return x === 0 ? ['down', 'enter'] : [];
    });
    input.write('a\x1b[<0;3;4Mb\x1b[<0;1;1Mc\x1b[<0;1;1m');
    await waitFor(() => expect(seen).toHaveLength(5));
    expect(order).toEqual(['1 2,3', '2 0,0']);
    expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'down', 'enter', 'c']);
  });
});
