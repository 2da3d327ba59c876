/**
 * The client's log stream with services by the websockets library of Python and by libwebsockets: fragments,
 * pings between them, a service that has compression on, bytes that are not UTF-8, and every close code.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createClient } from '../../source/client/client.ts';
import type { ErrorCode, ServiceError } from '../../source/client/http/errors.ts';
import type { Report, Skips } from './report.ts';

/** A step of the service. */
type Step =
  | readonly [name: 'message' | 'binary', text: string]
  | readonly [name: 'fragments' | 'pinged fragments', parts: readonly string[]]
  | readonly [name: 'long' | 'pings', count: number]
  | readonly [name: 'frame', isFinal: boolean, opcode: number, hex: string]
  | readonly [name: 'close', code: number, reason: string]
  | readonly [name: 'abort'];

/** The steps of a service, and what the client makes of them. */
interface Scenario {
  readonly steps: readonly Step[];
  readonly lines?: readonly string[];
  /** Number of messages that can't be read. */
  readonly unreadable?: number;
  readonly code?: ErrorCode;
}

const messageOf = (logLine: string): string => JSON.stringify({ type: 'log', logLine });
const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const halves = (text: string): readonly [string, string] => [text.slice(0, 9), text.slice(9)];
const letters = (text: string): readonly string[] => Array.from(text);
const close: Step = ['close', 1001, ''];
const textFrame = 1;
const closeFrame = 8;
/** `{"type":"log","logLine":"..."}` with a byte that is no UTF-8, and the end of a character without its start. */
const broken = Buffer.from(messageOf('a?b?c'))
  .toString('hex')
  .replace('3f', 'ff')
  .replace('3f', 'a4');
const lone = '�';

const messages: Readonly<Record<string, Scenario>> = {
  'messages of a service with compression on': {
    steps: [['message', messageOf('a')], ['message', messageOf('ä 日本 😀')], close],
    lines: ['a', 'ä 日本 😀'],
  },
  'a message of 300 kB': { steps: [['long', 300_000], close], lines: ['x'.repeat(300_000)] },
  'binary messages': { steps: [['binary', messageOf('ä')], close], lines: ['ä'] },
  fragments: {
    steps: [
      ['message', messageOf('before')],
      ['fragments', halves(messageOf('halved'))],
      ['fragments', letters(messageOf('ä in letters'))],
      ['fragments', ['', messageOf('between empty ones'), '']],
      ['message', messageOf('after')],
      close,
    ],
    lines: ['before', 'halved', 'ä in letters', 'between empty ones', 'after'],
  },
  'fragments that cut a character': {
    steps: [
      ['frame', false, textFrame, hexOf(messageOf('ä')).slice(0, -6)],
      ['frame', true, 0, hexOf(messageOf('ä')).slice(-6)],
      ['message', messageOf('after')],
      close,
    ],
    lines: ['ä', 'after'],
  },
  'pings between fragments': {
    steps: [
      ['pinged fragments', halves(messageOf('halved'))],
      ['pinged fragments', letters(messageOf('in letters'))],
      ['message', messageOf('after')],
      close,
    ],
    lines: ['halved', 'in letters', 'after'],
  },
  'a thousand pings': {
    steps: [['pings', 1000], ['message', messageOf('after')], close],
    lines: ['after'],
  },
  'bytes that are not UTF-8': {
    steps: [['frame', true, textFrame, broken], ['message', messageOf('after')], close],
    lines: [`a${lone}b${lone}c`, 'after'],
  },
  'fragments that are not UTF-8': {
    steps: [
      ['frame', false, textFrame, broken.slice(0, 20)],
      ['frame', true, 0, broken.slice(20)],
      ['message', messageOf('after')],
      close,
    ],
    lines: [`a${lone}b${lone}c`, 'after'],
  },
  'a message that is not JSON': {
    steps: [['message', '{"type":"log"'], ['message', messageOf('after')], close],
    lines: ['after'],
    unreadable: 1,
  },
  'a frame of an unknown kind': {
    steps: [
      ['message', messageOf('before')],
      ['frame', true, 3, ''],
    ],
    lines: ['before'],
  },
  'a continuation of nothing': {
    steps: [
      ['message', messageOf('before')],
      ['frame', true, 0, hexOf('x')],
    ],
    lines: ['before'],
  },
  'a connection that breaks off': {
    steps: [['message', messageOf('before')], ['pings', 1], ['abort']],
    lines: ['before'],
  },
  'a connection that breaks off in a message': {
    steps: [
      ['message', messageOf('before')],
      ['frame', false, textFrame, '61'],
      ['pings', 1],
      ['abort'],
    ],
    lines: ['before'],
  },
};

/** The codes of closes that are no loss of the connection; 3000 and 4400 to 4599 are statuses of HTTP. */
const closeMeanings: Readonly<Record<number, ErrorCode>> = {
  1000: 'ended',
  3000: 'unauthorized',
  3003: 'forbidden',
  4401: 'unauthorized',
  4403: 'forbidden',
  4404: 'not-found',
  4429: 'rate-limited',
  4500: 'service-error',
};

/** Codes that a close may have (RFC 6455, 7.4), and some that it must not. */
const allowed = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014];
const registered = [3000, 3003, 3999, 4000, 4008, 4401, 4403, 4404, 4429, 4500, 4999];
const forbidden = [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535];

function scenarios(): Readonly<Record<string, Scenario>> {
  const before: Step = ['message', messageOf('before')];
  const closes = [...allowed, ...registered].map((code): [string, Scenario] => [
    `the close code ${code}`,
    {
      steps: [before, ['close', code, 'the reason']],
      lines: ['before'],
      code: closeMeanings[code] ?? 'disconnected',
    },
  ]);
  const wrong = forbidden.map((code): [string, Scenario] => [
    `the forbidden close code ${code}`,
    {
      steps: [before, ['frame', true, closeFrame, code.toString(16).padStart(4, '0')]],
      lines: ['before'],
    },
  ]);
  const bare: readonly (readonly [string, string])[] = [
    ['a close without a code', ''],
    ['a close with half a code', '03'],
    ['a close whose reason is not UTF-8', '03e9ff'],
  ];
  const others = bare.map(([name, payload]): [string, Scenario] => [
    name,
    { steps: [before, ['frame', true, closeFrame, payload]], lines: ['before'] },
  ]);
  return { ...messages, ...Object.fromEntries([...closes, ...wrong, ...others]) };
}

export const webSocketSkips: Skips = {};

/** A service by a library: its program, and the steps of a scenario as it reads them. */
interface Peer {
  readonly name: string;
  readonly debianPackages: string;
  /** Resolves with the command; undefined where it can't be made. */
  readonly command: (folder: string) => Promise<readonly [string, ...string[]] | undefined>;
  /** Returns undefined where the library can't do a step. */
  readonly written: (steps: readonly Step[]) => string | undefined;
}

const pathOf = (file: string): string => path.join(import.meta.dirname, file);

const peers: readonly Peer[] = [
  {
    name: 'websockets',
    debianPackages: 'python3-websockets',
    // Debian's Python has Debian's library.
    command: async () => ['/usr/bin/python3', pathOf('websockets-peer.py')],
    written: (steps) => JSON.stringify(steps),
  },
  {
    name: 'libwebsockets',
    debianPackages: 'gcc libc6-dev libwebsockets-dev',
    async command(folder) {
      const program = path.join(folder, 'libwebsockets-peer');
      const source = pathOf('libwebsockets-peer.c');
      const compiler = spawn('cc', ['-o', program, source, '-lwebsockets'], { stdio: 'ignore' });
      return (await statusOf(compiler)) === 0 ? [program] : undefined;
    },
    written(steps) {
      const words = steps.map(wordsOf);
      return words.includes(undefined) ? undefined : words.join('.');
    },
  },
];

/** Returns a step as `libwebsockets-peer.c` reads it; undefined for one that it can't do. */
function wordsOf(step: Step): string | undefined {
  switch (step[0]) {
    case 'message':
      return `T${hexOf(step[1])}`;
    case 'binary':
      return `B${hexOf(step[1])}`;
    case 'fragments':
    case 'pinged fragments': {
      const parts = step[1].map((part, index) => {
        const isLast = index === step[1].length - 1;
        return `${index === 0 ? 't' : isLast ? 'C' : 'c'}${hexOf(part)}`;
      });
      return parts.join(step[0] === 'fragments' ? '.' : `.P${hexOf('?')}.`);
    }
    case 'pings':
      return Array.from({ length: step[1] }, () => `p${hexOf('?')}`).join('.');
    case 'frame': {
      const [, isFinal, opcode, hex] = step;
      if (opcode > textFrame) return undefined;
      const letter = opcode === textFrame ? 't' : 'c';
      return (isFinal ? letter.toUpperCase() : letter) + hex;
    }
    case 'close':
      return `X${step[1].toString(16).padStart(4, '0')}${hexOf(step[2])}`;
    case 'long':
    case 'abort':
      return undefined;
  }
}

/** Resolves with the status of a program; undefined for one that can't be started. */
async function statusOf(child: ChildProcess): Promise<unknown> {
  return await Promise.race([
    once(child, 'close').then(([status]): unknown => status),
    once(child, 'error').then(() => undefined),
  ]);
}

export async function checkWebSocket(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-websocket-'));
  for (const { name, debianPackages, command, written } of peers) {
    const [program, ...args] = (await command(folder)) ?? [];
    const peer =
      program === undefined
        ? undefined
        : spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const port = peer && (await Promise.race([firstLine(peer.stdout), statusOf(peer)]));
    if (peer === undefined || typeof port !== 'string') {
      report.lack(name, `it is not installed (apt-get install ${debianPackages})`);
      continue;
    }
    for (const [title, scenario] of Object.entries(scenarios())) {
      const id = written(scenario.steps);
      if (id === undefined) continue;
      await report.check(`${title} from ${name}`, () =>
        problemOf(`http://127.0.0.1:${port}`, id, scenario),
      );
    }
    peer.kill();
    await statusOf(peer);
  }
  rmSync(folder, { recursive: true });
}

/** Resolves with the first line of an output, which is written at once. */
async function firstLine(output: Readable): Promise<string> {
  const [data]: readonly unknown[] = await once(output, 'data');
  return String(data).trim();
}

/** Opens a stream, and returns what is wrong with what it brought when it has closed. */
async function problemOf(
  baseUrl: string,
  id: string,
  { lines = [], unreadable = 0, code = 'disconnected' }: Scenario,
): Promise<string | undefined> {
  const client = createClient({ baseUrl, token: 'token' });
  const found: string[] = [];
  let unread = 0;
  const error = await new Promise<ServiceError>((onClose) => {
    client.logs.stream(id, {
      onOpen() {},
      onFrames({ bytes, count, starts, ends }) {
        for (let index = 0; index < count; index += 1) {
          const message = client.logs.decode(bytes, starts[index] ?? 0, ends[index] ?? 0);
          if (message.kind === 'line') found.push(message.line.logLine);
          if (message.kind === 'unreadable') unread += 1;
        }
      },
      onClose,
    });
  });
  await client.close();
  if (!isDeepStrictEqual(found, lines)) return `Its lines are ${JSON.stringify(found)}.`;
  if (unread !== unreadable) return `${unread} of its messages can't be read.`;
  if (error.code !== code) return `Its end is ${error.code}: ${error.sentence}`;
  return /\S\.$/.test(error.sentence) ? undefined : `Its end is told as ${error.sentence}`;
}
