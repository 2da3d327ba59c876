import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../source/client/client.ts';
import { exitCodes } from '../../../source/commands/exit-codes.ts';
import { deploy, readLogs } from '../../host/support/bodies.ts';
import {
  nodeService,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from '../../host/support/temporary-host.ts';
import { longLine, type RealLog, realLogs } from '../../support/real-logs.ts';
import { systemClock } from '../../support/system-clock.ts';
import { startLogs } from './run-logs.ts';
import { startForeign } from '../../servers/foreign.ts';
import { waitFor } from '../../support/wait-for.ts';

interface From {
  readonly baseUrl: string;
  readonly token: string;
  readonly id: string;
  readonly service?: string;
  readonly search?: string;
}

/** Returns the lines that `hostdeck logs` writes of a log without following it. */
async function written({ baseUrl, token, ...what }: From, json: boolean) {
  const client = createClient({ baseUrl, token });
  const running = startLogs({
    client,
    clock: systemClock,
    random: () => 0,
    follow: false,
    limit: 1000,
    json,
    ...what,
  });
  expect(await running.exit).toBe(exitCodes.done);
  expect(running.notes()).toEqual([]);
  expect(running.rest()).toBe('');
  await client.close();
  return running.lines();
}

async function jsonTexts(from: From): Promise<readonly string[]> {
  const lines = await written(from, true);
  const messages = lines.map((line) => JSON.parse(line) as Message);
  return messages.filter(({ stream }) => stream !== 'system').map(({ logLine }) => logLine);
}

interface Message {
  readonly logLine: string;
  readonly stream: string;
}

/** The text of each line behind its time and its service. */
async function plainTexts(from: From): Promise<readonly string[]> {
  const head = new RegExp(String.raw`^\d{4}-\S+Z ${from.service ?? String.raw`\S+`}  `);
  return (await written(from, false)).map((line) => {
    expect(line).toMatch(head);
    return line.replace(head, '');
  });
}

describe('what a service writes, from our own host into a pipe', () => {
  let host: TemporaryHost;
  let from: From;
  const long = 'long';

  beforeAll(async () => {
    host = await temporaryHost();
    const owner = host.as('0xowner');
    const printing = ({ path, name }: RealLog) => {
      // One of two streams, so that both are seen to keep their bytes.
      const to = name.length % 2 === 0 ? '' : ' >&2';
      // The bytes are an argument, because a service sees no folder of the machine but its own.
      const bytes = readFileSync(path).toString('base64');
      const script = `(printf %s "$0" | base64 -d; echo)${to}; exec sleep 10000`;
      return { command: ['sh', '-c', script, bytes] };
    };
    const services = Object.fromEntries(realLogs.map((log) => [log.name, printing(log)]));
    const program = `const line = 'begin ' + '0123456789abcdef'.repeat(65536) + ' 終 end';
      console.log(line); console.log(); setInterval(() => {}, 1000)`;
    const { id } = await deploy(
      owner,
      sdlOf({ ...services, [long]: nodeService(program) }, 'formats'),
    );
    await waitFor(async () => {
      const lines = await readLogs(owner, id);
      const whole = lines.filter(({ logLine }) => logLine === '').map((line) => line.serviceName);
      expect(new Set(whole)).toEqual(new Set([...realLogs.map(({ name }) => name), long]));
    });
    from = { baseUrl: host.host.baseUrl, token: owner.token, id };
  });

  afterAll(() => host.remove());

  it.each(realLogs.map((log) => [log.name, log] as const))(
    '%s, byte by byte',
    async (name, log) => {
      const service = { ...from, service: name };
      expect(await jsonTexts(service)).toEqual([...log.lines, '']);
      // Behind the isolation and the start.
      expect((await plainTexts(service)).slice(2)).toEqual([...log.lines, '']);
    },
  );

  it('a line of a mebibyte in pieces that together are the line', async () => {
    const pieces = await jsonTexts({ ...from, service: long });
    expect(pieces.every((piece) => Buffer.byteLength(piece) <= 64 * 1024)).toBe(true);
    expect(pieces.join('')).toBe(longLine);
    const messages = (await written({ ...from, service: long }, true)).map(
      (line) => JSON.parse(line) as Message & { readonly partial?: boolean },
    );
    const parts = messages.filter(({ stream, logLine }) => stream !== 'system' && logLine !== '');
    expect(parts.map(({ partial = false }) => partial)).toEqual(
      parts.map((_, index) => index < parts.length - 1),
    );
  });

  it('only lines with the text that is looked for', async () => {
    const found = (search: string) => jsonTexts({ ...from, search });
    expect(await found('notice no such')).toEqual([]);
    expect(await found('CAUSED BY')).toEqual([
      'Caused by: java.net.SocketTimeoutException: Read timed out',
    ]);
    expect(await found('완료')).toEqual(['주문이 완료되었습니다 번호=44 |']);
    expect(await found('\u001b[4mdb')).toHaveLength(1);
    expect(await found('\\x16\\x03')).toHaveLength(1);
    expect(await found('caf\ufffd')).toEqual(['latin1 caf\ufffd here']);
  });
});

describe('what a service writes, from a foreign service into a pipe', () => {
  const logs = [...realLogs, { name: 'a line of a mebibyte', lines: [longLine] }];

  it.each(logs.map(({ name, lines }) => [name, lines] as const))(
    '%s, byte by byte and whole',
    async (_, lines) => {
      const foreign = await startForeign();
      onTestFinished(() => foreign.close());
      const { baseUrl, token, sample } = foreign;
      const before = foreign.lines(sample).length;
      for (const line of lines) foreign.append(sample, 'worker', line);
      const from = { baseUrl, token, id: sample };
      expect((await jsonTexts(from)).slice(before)).toEqual(lines);
      expect((await plainTexts(from)).slice(before)).toEqual(lines);
    },
  );
});
