import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TerminalAnswer } from '../../../source/terminal/link/answers.ts';
import { type TerminalInput, KeyParser } from '../../../source/terminal/keys/key-parser.ts';
import type { KeyEvent } from '../../../source/terminal/keys/key-sequences.ts';
import { capabilities } from '../terminfo.ts';

function isKey(input: TerminalInput): input is KeyEvent {
  return 'name' in input;
}

/** Returns the keys that a parser reads from bytes. */
function push(parser: KeyParser, bytes: string | Uint8Array, now: number): KeyEvent[] {
  return parser.push(Buffer.from(bytes as string), now).filter(isKey);
}

/** Returns the names of the keys in bytes that nothing follows. */
function names(bytes: string): string[] {
  return events([Buffer.from(bytes)]).map((event) => event.name);
}

/** Returns all keys of chunks without pauses, after all waits have expired. */
function events(pieces: readonly Uint8Array[], pasteLimit?: number): KeyEvent[] {
  return inputs(pieces, pasteLimit).filter(isKey);
}

/** Returns all keys and answers of chunks without pauses, after all waits have expired. */
function inputs(pieces: readonly Uint8Array[], pasteLimit?: number): TerminalInput[] {
  const parser = new KeyParser(pasteLimit);
  const given = pieces.flatMap((piece) => parser.push(piece, 0));
  return [...given, ...giveUp(parser)];
}

function giveUp(parser: KeyParser): KeyEvent[] {
  const due = parser.deadline();
  return due === undefined ? [] : [...parser.expire(due), ...giveUp(parser)];
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].map((end, index) => bytes.subarray(at[index - 1] ?? 0, end));
}

const decisive = [
  '\x1b \x1b[0n \x1b[ \x1bO \x1b] \x1bP \x1b[200~ \x1b[201~ \x1b\\ \x07',
  '\x1b[?5u \x1b[?0u \x1b[27u A [ O ~ 1;5 u M R ? $ j \r é 😀 \x1b[A 5',
].flatMap((row) => row.split(' '));

/** Bytes rich in those that change the parser's state. */
const bytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...decisive),
      fc.string({ maxLength: 3 }),
      fc.uint8Array({ maxLength: 3 }),
    ),
    { maxLength: 14 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string))));

describe('a typed character', () => {
  test.each([
    ['jjj', ['j', 'j', 'j']],
    [':q\r', [':', 'q', 'enter']],
    ['aA?é日😀', ['a', 'A', '?', 'é', '日', '😀']],
    [' \t\x7f\b', ['space', 'tab', 'backspace', 'backspace']],
    ['\x01\x03\x04\x0a\x13\x11\x1a', 'acdjsqz'.split('').map((letter) => `ctrl+${letter}`)],
    ['\x00\x1c\x1d\x1e\x1f', ['ctrl+space', 'ctrl+\\', 'ctrl+]', 'ctrl+^', 'ctrl+_']],
    ['\x1bx\x1bX\x1bé', ['alt+x', 'alt+X', 'alt+é']],
    ['\x1b\r\x1b\x7f\x1b\x04\x1b ', ['alt+enter', 'alt+backspace', 'ctrl+alt+d', 'alt+space']],
  ])('%j is %j', (typed, expected) => {
    expect(names(typed)).toEqual(expected);
  });

  test('has its text', () => {
    expect(events([Buffer.from('a \r\x04')])).toEqual([
      { name: 'a', text: 'a' },
      { name: 'space', text: ' ' },
      { name: 'enter' },
      { name: 'ctrl+d' },
    ]);
  });

  test('is dropped if it is not UTF-8', () => {
    expect(names('\x1bé')).toEqual(['alt+é']);
    const malformed = [
      0xff, 0x6a, 0xc3, 0x6b, 0x80, 0xe2, 0x82, 0x6c, 0xc0, 0x80, 0x1b, 0xc3, 0x6d,
    ];
    expect(events([Buffer.from(malformed)]).map((event) => event.name)).toEqual([
      'j',
      'k',
      'l',
      'm',
    ]);
  });
});

describe('keys of terminals', () => {
  test.each([
    ['xterm', '\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F', 'up down right left home end'],
    ['application mode', '\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF', 'up down right left home end'],
    ['screen', '\x1b[1~\x1b[4~\x1b[5~\x1b[6~', 'home end pageup pagedown'],
    ['vt220', '\x1b[2~\x1b[3~', 'insert delete'],
    [
      'rxvt',
      '\x1b[7~\x1b[8~\x1b[a\x1bOa\x1b[7$\x1b[8^\x1b[3@',
      'home end shift+up ctrl+up shift+home ctrl+end ctrl+shift+delete',
    ],
    ['xterm', '\x1bOP\x1bOQ\x1bOR\x1bOS\x1b[15~\x1b[24~', 'f1 f2 f3 f4 f5 f12'],
    ['rxvt', '\x1b[11~\x1b[12~\x1b[13~\x1b[14~', 'f1 f2 f3 f4'],
    ['the Linux console', '\x1b[[A\x1b[[B\x1b[[C\x1b[[D\x1b[[E\x1b[17~', 'f1 f2 f3 f4 f5 f6'],
    [
      'xterm, modified',
      '\x1b[1;5C\x1b[1;2A\x1b[1;3D\x1b[1;6H\x1b[3;5~',
      'ctrl+right shift+up alt+left ctrl+shift+home ctrl+delete',
    ],
    [
      'xterm, modified',
      '\x1b[1;2R\x1b[1;5P\x1b[15;2~\x1b[Z\x1b[1;9A',
      'shift+f3 ctrl+f1 shift+f5 shift+tab alt+up',
    ],
    ['old xterm, modified', '\x1bO5C\x1bO2P', 'ctrl+right shift+f1'],
    ['PuTTY with Alt', '\x1b\x1b[A\x1b\x1bOB', 'alt+up alt+down'],
    ['the keypad', '\x1bOM\x1bOp\x1bOy\x1bOk\x1bOE', 'enter 0 9 + clear'],
    [
      'kitty',
      '\x1b[97u\x1b[97;5u\x1b[97;2u\x1b[97:65;2u\x1b[27u\x1b[13;2u',
      'a ctrl+a A A escape shift+enter',
    ],
    [
      'kitty',
      '\x1b[57399u\x1b[57414u\x1b[57376u\x1b[9;5u\x1b[100;6u\x1b[47;5u',
      '0 enter f13 ctrl+tab ctrl+shift+d ctrl+_',
    ],
    ['kitty, repeat and release', '\x1b[97;1:2u\x1b[97;1:3u\x1b[1;1:3A\x1b[57441;2u', 'a'],
    [
      'kitty, bytes under Ctrl',
      '\x1b[91;5u\x1b[104;5u\x1b[105;5u\x1b[109;5u\x1b[109;7u\x1b[106;5u\x1b[32;5u\x1b[109;6u',
      'escape backspace tab enter alt+enter ctrl+j ctrl+space ctrl+shift+m',
    ],
    [
      'kitty, other layouts',
      '\x1b[1089::99;5u\x1b[1089:1057:99;6u\x1b[1076::108;3u\x1b[45:95;6u\x1b[55:47;6u\x1b[228u',
      'ctrl+c ctrl+shift+c alt+l ctrl+_ ctrl+_ ä',
    ],
    [
      'kitty, locks held',
      '\x1b[100;69u\x1b[57399;129u\x1b[1;129A\x1b[27;129u\x1b[57414;129u',
      'ctrl+d 0 up escape enter',
    ],
    [
      'kitty, functional keys',
      '\x1b[P\x1b[Q\x1b[13~\x1b[S\x1b[13;2~\x1b[57427~\x1b[E\x1b[9;2u\x1b[57421;5u\x1b[57358u',
      'f1 f2 f3 f4 shift+f3 clear clear shift+tab ctrl+pageup',
    ],
    ['kitty, text without a key', '\x1b[0;;229u\x1b[0u\x1b[0;;13u', 'å'],
    [
      'modifyOtherKeys',
      '\x1b[27;5;13~\x1b[27;6;68~\x1b[27;3;120~\x1b[27;2;65~',
      'ctrl+enter ctrl+shift+d alt+x A',
    ],
  ])('%s: %j is %s', (_, sequence, expected) => {
    expect(names(sequence)).toEqual(expected.split(' '));
  });
});

/** Keys by their capability in terminfo(5). */
const capabilityKeys: Readonly<Record<string, string>> = {
  kcuu1: 'up',
  kcud1: 'down',
  kcub1: 'left',
  kcuf1: 'right',
  khome: 'home',
  kend: 'end',
  kpp: 'pageup',
  knp: 'pagedown',
  kich1: 'insert',
  kdch1: 'delete',
  kbs: 'backspace',
  kcbt: 'shift+tab',
  kent: 'enter',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`kf${index + 1}`, `f${index + 1}`]),
  ),
};

describe('keys in terminfo', () => {
  test.each(['linux', 'screen', 'xterm', 'xterm-256color', 'vt220', 'vt100', 'rxvt'])(
    'for %s',
    (terminal) => {
      const keys = [...capabilities(terminal)].filter(
        // A VT100 has four function keys; its entry lists keypad keys as further ones.
        ([name]) =>
          name in capabilityKeys && !(terminal === 'vt100' && /^kf[5-9]|^kf10/.test(name)),
      );
      expect(keys.length).toBeGreaterThan(8);
      const read = keys.map(([name, bytes]) => [name, ...names(bytes)]);
      expect(read).toEqual(keys.map(([name]) => [name, capabilityKeys[name]]));
    },
  );
});

describe('a sequence that is not a key', () => {
  test.each([
    ['a status report', '\x1b[0n'],
    ['device attributes', '\x1b[?62;22c\x1b[>1;4000;20c'],
    ['the cursor position', '\x1b[24;80R\x1b[1;1R'],
    ['keyboard flags', '\x1b[?1u'],
    ['a mode report', '\x1b[?2026;2$y'],
    ['focus', '\x1b[I\x1b[O'],
    ['a mouse report', '\x1b[M !!\x1b[<0;10;20M\x1b[<0;10;20m\x1b[32;10;20M'],
    ['a colour', '\x1b]11;rgb:0000/0000/0000\x07\x1b]11;rgb:0/0/0\x1b\\'],
    ['a device control string', '\x1bP1$r0m\x1b\\\x1b_Gi=1;OK\x1b\\'],
    ['a stray paste end', '\x1b[201~'],
  ])('%s is taken out', (_, answer) => {
    expect(names(`a${answer}b`)).toEqual(['a', 'b']);
  });

  test('leaves an Esc pressed just before it an Esc', () => {
    expect(names('\x1b\x1b[0nj')).toEqual(['escape', 'j']);
    expect(names('\x1b\x1b]11;x\x07j')).toEqual(['escape', 'j']);
    expect(names('\x1b\x1b[200~x\x1b[201~j')).toEqual(['escape', 'paste', 'j']);
  });

  test('without an end lets control keys through, and all keys after its limit', () => {
    expect(names('\x1b]52;c;abc\rj')).toEqual(['enter', 'j']);
    expect(names(`\x1bP${'x'.repeat(4097)}j`)).toEqual(['j']);
  });
});

describe('answers of the terminal', () => {
  test.each<[string, TerminalAnswer]>([
    ['\x1b[0n', { kind: 'status' }],
    ['\x1b[3n', { kind: 'status' }],
    ['\x1b[?0u', { kind: 'keyboard', flags: 0 }],
    ['\x1b[?31u', { kind: 'keyboard', flags: 31 }],
    ['\x1b[?62;22c', { kind: 'attributes', codes: [62, 22] }],
    ['\x1b[?6c', { kind: 'attributes', codes: [6] }],
    ['\x1b[?2026;2$y', { kind: 'mode', mode: 2026, state: 'reset' }],
    ['\x1b[?2026;0$y', { kind: 'mode', mode: 2026, state: 'unknown' }],
    ['\x1b[?7;1$y', { kind: 'mode', mode: 7, state: 'set' }],
    ['\x1b[?7;3$y', { kind: 'mode', mode: 7, state: 'always-set' }],
    ['\x1b[?7;4$y', { kind: 'mode', mode: 7, state: 'always-reset' }],
  ])('%j is given out between the keys it stands between', (bytes, answer) => {
    const a = { name: 'a', text: 'a' };
    expect(inputs([Buffer.from(`a${bytes}a`)])).toEqual([a, answer, a]);
  });

  test.each(['\x1b[1n', '\x1b[>1;4000;20c', '\x1b[24;80R', '\x1b[?u', '\x1b[?7$y'])(
    '%j is none that anyone asked for',
    (bytes) => {
      expect(inputs([Buffer.from(bytes)])).toEqual([]);
    },
  );

  test('end the wait after an Esc', () => {
    expect(inputs([Buffer.from('\x1b\x1b[0n')])).toEqual([{ name: 'escape' }, { kind: 'status' }]);
  });

  test('are read even if their ESC was reported as the Esc key', () => {
    const parser = new KeyParser();
    parser.push(Buffer.from('\x1b'), 0);
    parser.expire(50);
    expect(parser.push(Buffer.from('[0nj'), 300)).toEqual([
      { kind: 'status' },
      { name: 'j', text: 'j' },
    ]);
  });

  const answered = ['\x1b[0n', '\x1b[3n', '\x1b[?8u', '\x1b[?62;22c', '\x1b[?2026;2$y'];
  const typed: Readonly<Record<string, string>> = {
    j: 'j',
    é: 'é',
    '\r': 'enter',
    '\x04': 'ctrl+d',
    '\x1bx': 'alt+x',
    '\x1b[A': 'up',
    '\x1b[1;5C': 'ctrl+right',
    '\x1b[15~': 'f5',
    '\x1bOP': 'f1',
    '\x1b\x1b[B': 'alt+down',
    '\x1b[27u': 'escape',
    '\x1b[97:65;2u': 'A',
    '\x1b[200~a\rb\x1b[201~': 'paste',
  };
  /** A key, an answer, or Esc, which only an answer may follow at once. */
  const piece = fc.oneof(
    fc.constantFrom(...Object.keys(typed)),
    fc.constantFrom(...answered),
    fc.constantFrom(...answered.map((answer) => `\x1b${answer}`)),
  );

  test('and keys are read alike in any order and any division into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (pieces, places) => {
          const given = inputs(cut(Buffer.from(pieces.join('')), places));
          const expected = pieces.flatMap((bytes) => {
            const key = typed[bytes];
            if (key !== undefined) return [key];
            const answer = answered.indexOf(bytes.slice(bytes.lastIndexOf('\x1b')));
            const kind = ['status', 'status', 'keyboard', 'attributes', 'mode'][answer];
            return bytes.startsWith('\x1b\x1b') ? ['escape', kind] : [kind];
          });
          expect(given.map((input) => (isKey(input) ? input.name : input.kind))).toEqual(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('Esc', () => {
  test('is reported after 50 ms of silence', () => {
    const parser = new KeyParser();
    expect(push(parser, '\x1b', 100)).toEqual([]);
    expect(parser.deadline()).toBe(150);
    expect(parser.expire(149)).toEqual([]);
    expect(parser.expire(150)).toEqual([{ name: 'escape' }]);
    expect(parser.deadline()).toBeUndefined();
  });

  test('twice in one chunk is reported twice', () => {
    expect(names('\x1b\x1b')).toEqual(['escape', 'escape']);
    expect(names('\x1b\x1b\x1b')).toEqual(['escape', 'escape', 'escape']);
  });

  test.each([
    ['[A', 'jk'],
    ['OP', 'jk'],
    ['[1;5C', 'jk'],
    ['[15~', 'jk'],
  ])('swallows the rest of the sequence it began, %s, when that comes late', (rest, typed) => {
    for (let split = 0; split <= rest.length; split++) {
      const parser = new KeyParser();
      push(parser, '\x1b', 0);
      parser.expire(50);
      const late = [
        ...push(parser, rest.slice(0, split), 400),
        ...push(parser, rest.slice(split) + typed, 900),
      ];
      expect(late.map((event) => event.name)).toEqual(['j', 'k']);
    }
  });

  test('discards the sequence it began even if that stalls', () => {
    const parser = new KeyParser();
    push(parser, '\x1b', 0);
    parser.expire(50);
    expect(push(parser, '[1;', 900)).toEqual([]);
    expect(parser.expire(1899)).toEqual([]);
    expect(push(parser, '5Cj', 1899).map((event) => event.name)).toEqual(['j']);
  });

  test('is unambiguous if the terminal reports so, and a bracket after it is text', () => {
    const parser = new KeyParser();
    push(parser, '\x1b[?5u', 0);
    const typed = push(parser, '\x1b[27u[O', 0);
    expect(typed.map((event) => event.name)).toEqual(['escape', '[', 'O']);
    // An ESC split from its sequence is not the key.
    expect([push(parser, '\x1b', 0), parser.expire(999)]).toEqual([[], []]);
    expect(push(parser, '[A', 999)).toEqual([{ name: 'up' }]);
    // An ESC before the terminal changed its mode is the key.
    expect(push(parser, '\x1b\x1b[B', 1000).map((event) => event.name)).toEqual(['escape', 'down']);
    push(parser, '\x1b', 2000);
    expect(parser.expire(3000)).toEqual([{ name: 'escape' }]);
    expect(push(parser, '[', 3001).map((event) => event.name)).toEqual(['[']);
    push(parser, '\x1b[?0u\x1b', 4000);
    expect(parser.expire(4050)).toEqual([{ name: 'escape' }]);
  });

  test('lets a bracket through after a second, and other keys at once', () => {
    const parser = new KeyParser();
    push(parser, '\x1b', 0);
    parser.expire(50);
    expect(push(parser, 'j[A', 60).map((event) => event.name)).toEqual(['j', '[', 'A']);
    push(parser, '\x1b', 1000);
    parser.expire(1050);
    expect(push(parser, '[A', 2000).map((event) => event.name)).toEqual(['[', 'A']);
  });

  test('split from the start of a paste does not turn the paste into keys', () => {
    const parser = new KeyParser();
    push(parser, '\x1b', 0);
    parser.expire(50);
    const late = push(parser, '[200~qX\x1b[201~j', 300);
    expect(late).toEqual([
      { name: 'paste', text: 'qX' },
      { name: 'j', text: 'j' },
    ]);
  });
});

describe('a paste', () => {
  test('in several chunks reports the answers between them at once', () => {
    const parser = new KeyParser();
    const read = ['\x1b[200~ab', '\x1b[0n', '\x1b[0', 'nc\x1b[1n', 'd\x1b[201~'].map((bytes) =>
      parser.push(Buffer.from(bytes), 0),
    );
    const status = { kind: 'status' };
    expect(read).toEqual([[], [status], [], [status], [{ name: 'paste', text: 'abc\x1b[1nd' }]]);
  });

  test('is one event with its text, and with newlines as line ends', () => {
    expect(events([Buffer.from('a\x1b[200~x\r\ny\rz\n\x1b[A\t\x1b[201~b')])).toEqual([
      { name: 'a', text: 'a' },
      { name: 'paste', text: 'x\ny\nz\n\x1b[A\t' },
      { name: 'b', text: 'b' },
    ]);
  });

  test('without an end is reported after ten seconds of silence', () => {
    const parser = new KeyParser();
    expect(push(parser, '\x1b[200~ab', 0)).toEqual([]);
    expect(push(parser, 'c\x1b[20', 5000)).toEqual([]);
    expect(parser.expire(14_999)).toEqual([]);
    expect(parser.expire(15_000)).toEqual([{ name: 'paste', text: 'abc\x1b[20' }]);
    expect(push(parser, 'q', 15_001)).toEqual([{ name: 'q', text: 'q' }]);
  });

  describe('without an end', () => {
    const endKeys = ['\x1b', '\x03', '\x1b[27u', '\x1b[27;129u', '\x1b[99;5u', '\x1b[27;5;99~'];

    /** Returns the keys of pieces with a second between them, and after all waits have expired. */
    function eachSecond(pieces: readonly string[]): KeyEvent[] {
      const parser = new KeyParser();
      const given = pieces.flatMap((piece, second) => [
        ...parser.expire(1000 * second),
        ...push(parser, piece, 1000 * second),
      ]);
      return [...given, ...giveUp(parser)];
    }

    test.each([...endKeys, '\x1b\x1b', '\x03\x03\x03', '\x1b\x03', '\x03\x1b[27u'])(
      'ends at %j, which is no text, and the next key is a key',
      (key) => {
        expect(eachSecond(['\x1b[200~abc', 'j', '\r', key, 'q'])).toEqual([
          { name: 'paste', text: 'abcj\n' },
          { name: 'q', text: 'q' },
        ]);
      },
    );

    test('ends at a key although answers come all the time', () => {
      const parser = new KeyParser();
      const given = push(parser, '\x1b[200~abc', 0);
      for (let now = 20; now <= 2000; now += 20) {
        given.push(...push(parser, now === 1000 ? '\x1b[0n\x1b' : '\x1b[0n', now));
        given.push(...parser.expire(now));
      }
      expect(given).toEqual([{ name: 'paste', text: 'abc' }]);
    });

    test('ends after ten seconds although answers come all the time', () => {
      const parser = new KeyParser();
      const given = push(parser, '\x1b[200~abc', 0);
      for (let now = 500; now <= 10_000; now += 500) {
        given.push(...push(parser, '\x1b[0n', now), ...parser.expire(now));
      }
      expect(given).toEqual([{ name: 'paste', text: 'abc' }]);
    });

    test('ends at a key while its repetition goes on, once it is released', () => {
      const parser = new KeyParser();
      push(parser, '\x1b[200~abc', 0);
      for (let now = 1000; now < 2000; now += 33) {
        expect([...push(parser, '\x1b', now), ...parser.expire(now)]).toEqual([]);
      }
      expect(giveUp(parser)).toEqual([{ name: 'paste', text: 'abc' }]);
    });

    test('leaves nothing of an end marker that comes late as keys', () => {
      expect(eachSecond(['\x1b[200~abc', '\x1b'])).toEqual([{ name: 'paste', text: 'abc' }]);
      const parser = new KeyParser();
      push(parser, '\x1b[200~abc', 0);
      push(parser, '\x1b', 500);
      expect(parser.expire(700)).toEqual([{ name: 'paste', text: 'abc' }]);
      expect(push(parser, '[201~q', 1600)).toEqual([{ name: 'q', text: 'q' }]);
    });
  });

  test('keeps Esc and ^C in its text unless a pause surrounds them, wherever it stalls', () => {
    const part = fc.constantFrom(
      'a',
      '\x03',
      '\x1b',
      '\x1b[27u',
      '\x1b[99;5u',
      '\x1b[201',
      'é',
      '[',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 900 })), { maxLength: 4 }),
        (parts, stalls) => {
          const text = parts.join('');
          fc.pre(!text.includes('\x1b[201~'));
          const whole = Buffer.from(`\x1b[200~${text}\x1b[201~k`);
          const pieces = cut(
            whole,
            stalls.map(([place]) => place),
          );
          // A piece of nothing but such keys can't be told from pressed ones.
          const pressed = /^(\^C|Esc(\[([\d;]*u?)?)?)+$/;
          const isPressed = (piece: Uint8Array): boolean =>
            pressed.test(
              Buffer.from(piece).toString().replaceAll('\x1b', 'Esc').replaceAll('\x03', '^C'),
            );
          fc.pre(!pieces.slice(1).some(isPressed));
          fc.pre((pieces[0]?.length ?? 0) === 0 || (pieces[0]?.length ?? 0) >= 6);
          const parser = new KeyParser();
          const given: KeyEvent[] = [];
          let now = 0;
          for (const [index, piece] of pieces.entries()) {
            given.push(...push(parser, piece, now));
            now += stalls[index]?.[1] ?? 0;
            given.push(...parser.expire(now));
          }
          given.push(...giveUp(parser));
          const pasted = text === '' ? [] : [{ name: 'paste', text }];
          expect(given).toEqual([...pasted, { name: 'k', text: 'k' }]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('above the limit is reported in parts, and never as keys', () => {
    const pasted = events([Buffer.from('\x1b[200~abcdefé\r\nhi\x1b[201~q')], 4);
    expect(pasted.map((event) => event.name)).toEqual(['paste', 'paste', 'paste', 'q']);
    expect(pasted.map((event) => event.text).join('')).toBe('abcdefé\nhiq');
  });

  test('of any text in any division into chunks never appears as keys', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.constantFrom(undefined, 3),
        (content, places, limit) => {
          fc.pre(!Buffer.from(content).includes('\x1b[201~'));
          const whole = Buffer.concat([
            Buffer.from('j\x1b[200~'),
            content,
            Buffer.from('\x1b[201~k'),
          ]);
          const given = events(cut(whole, places), limit);
          const withoutAnswers = Buffer.from(content).toString('latin1').replaceAll('\x1b[0n', '');
          const kept = Buffer.from(withoutAnswers, 'latin1');
          const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(kept);
          expect([given.at(0)?.name, given.at(-1)?.name]).toEqual(['j', 'k']);
          expect(new Set(given.slice(1, -1).map((event) => event.name)).size).toBeLessThan(2);
          const pasted = given.slice(1, -1).map((event) => event.text);
          expect(pasted.join('')).toBe(text.replaceAll(/\r\n?/g, '\n'));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('that stalls for less than a second at any byte never appears as keys', () => {
    const whole = Buffer.from('\x1b[200~X:q\r\x1b[201~');
    for (let stall = 1; stall < whole.length; stall++) {
      const parser = new KeyParser();
      const given = [...push(parser, whole.subarray(0, stall), 0)];
      for (let now = 0; now < 950; now += 50) given.push(...parser.expire(now));
      given.push(...push(parser, whole.subarray(stall), 950));
      const keys = given.filter((event) => event.name !== 'escape');
      expect(keys).toEqual([{ name: 'paste', text: 'X:q\n' }]);
    }
  });
});

describe('any input', () => {
  test('results in the same keys and answers in any division into chunks', () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(), { maxLength: 8 }), (input, places) => {
        const [cutUp, whole] = [cut(input, places), [input]].map((pieces) => inputs(pieces, 5));
        const isAnswer = (given: TerminalInput): boolean => !isKey(given);
        expect(cutUp?.filter(isKey)).toEqual(whole?.filter(isKey));
        expect(cutUp?.filter(isAnswer)).toEqual(whole?.filter(isAnswer));
      }),
      { numRuns: 2000 },
    );
  });

  test('results in keys with well-formed names and at most one code point of text', () => {
    fc.assert(
      fc.property(bytes, (input) => {
        for (const event of events([input])) {
          if (event.name === 'paste') continue;
          expect(event.name).toMatch(/^(ctrl\+)?(alt\+)?(shift\+)?([a-z]+\d*|[^\p{Cc}])$/u);
          expect(Array.from(event.text ?? ' ')).toHaveLength(1);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('leaves the parser ready for the next key after all waits have expired', () => {
    fc.assert(
      fc.property(bytes, (input) => {
        const parser = new KeyParser();
        push(parser, input, 0);
        giveUp(parser);
        // A key that no unfinished character or sequence can absorb.
        const next = push(parser, '\x04', 100_000);
        expect(next.at(-1)).toEqual({ name: 'ctrl+d' });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the answer to a request of the background', () => {
  const forms = ['11;rgb:ffff/ffff/ffff', '11;rgb:ff/ff/ff', '11;rgba:ffff/ffff/ffff/8000'];
  const ends = ['\x07', '\x1b\\'];
  const answers = forms.flatMap((form) => ends.map((end) => `\x1b]${form}${end}`));

  /** Reads pieces with pauses between them, as the console does: overdue waits end first. */
  function read(pieces: readonly Uint8Array[], pause: number): TerminalInput[] {
    const parser = new KeyParser();
    parser.expectString(30_000);
    return pieces.flatMap((piece, index) => {
      const now = index * pause;
      const ended = [];
      for (let due = parser.deadline(); due !== undefined && due <= now; due = parser.deadline()) {
        ended.push(...parser.expire(due));
      }
      return [...ended, ...parser.push(piece, now)];
    });
  }

  test.each(answers)('%j is no key, wherever a stalled link divides it', (answer) => {
    const whole = Buffer.from(answer);
    for (let at = 1; at < whole.length; at++) {
      const pieces = [whole.subarray(0, at), whole.subarray(at)];
      for (const pause of [0, 200, 3000]) {
        const rest = read(pieces, pause).filter(
          (input) => !isKey(input) || input.name !== 'escape',
        );
        expect(rest).toEqual([{ kind: 'background', colour: '#ffffff' }]);
      }
    }
  });

  test('is read byte by byte, with keys around it', () => {
    const bytes = Buffer.from('a\x1b]11;rgb:0000/0000/0000\x1b\\b');
    const inputs = read(
      [...bytes].map((byte) => Buffer.from([byte])),
      20,
    );
    expect(inputs).toEqual([
      { name: 'a', text: 'a' },
      { kind: 'background', colour: '#000000' },
      { name: 'b', text: 'b' },
    ]);
  });

  test('that never ends gives way to keys', () => {
    const parser = new KeyParser();
    parser.expectString(30_000);
    expect(push(parser, '\x1b]11;rgb', 0)).toEqual([]);
    expect(parser.deadline()).toBe(10_000);
    expect(parser.expire(10_000)).toEqual([]);
    expect(push(parser, 'j', 10_001)).toEqual([{ name: 'j', text: 'j' }]);
  });

  test('leaves a bracket that is typed after Esc alone, but for the bracket', () => {
    const parser = new KeyParser();
    parser.expectString(30_000);
    push(parser, '\x1b', 0);
    expect(parser.expire(50)).toEqual([{ name: 'escape' }]);
    expect(push(parser, ']x', 400)).toEqual([{ name: 'x', text: 'x' }]);
    parser.expectString(0);
    push(parser, '\x1b', 1000);
    parser.expire(1050);
    expect(push(parser, ']x', 1400)).toEqual([
      { name: ']', text: ']' },
      { name: 'x', text: 'x' },
    ]);
  });
});
