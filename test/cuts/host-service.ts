import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '../../source/contract/logs.ts';
import { issueToken } from '../../source/host/administration.ts';
import { fieldOf } from '../host/support/bodies.ts';
import { callHost, sdlOf } from '../host/support/temporary-host.ts';
import { until } from '../support/bounded-wait.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { fastFolder } from '../support/fast-folder.ts';
import {
  earlierLines,
  nextUnique,
  repeated,
  repeats,
  type WritingService,
  writtenLine,
} from './service.ts';

const hostProgram = await bundledProgram('test/host/support/host-process.ts');
/**
 * Writes so many lines a second until it is stopped, and waits for their reader. The program is text,
 * because a service sees no folder of the machine but its own.
 */
const writerProgram = `
  const repeats = ${repeats}, repeated = ${JSON.stringify(repeated)};
  const writtenLine = ${writtenLine.toString()};
  const rate = Number(process.argv[1]), begun = performance.now();
  const run = 'run-' + process.hrtime.bigint();
  let written = 0;
  const write = () => {
    const due = Math.floor(((performance.now() - begun) / 1000) * rate);
    let text = '';
    for (; written < due; written += 1) text += writtenLine(run, written + 1) + '\\n';
    const next = () => void setTimeout(write, 4);
    if (text === '' || process.stdout.write(text)) next();
    else process.stdout.once('drain', next);
  };
  write();`;

/** A failure limit, not a delay, ms. */
const patience = 60_000;

/** Lines of the record asked for at once. */
const pageSize = 10_000;

/**
 * Our own host in a process of its own, with a deployment of two services that write `rate` lines a
 * second together.
 */
export async function startWritingHost(rate: number): Promise<WritingService> {
  const data = await mkdtemp(path.join(fastFolder, 'hostdeck-cuts-'));
  let host = await startHost(data);
  const token = await issueToken(data, '0xcuts');
  const writer = (each: number) => ({ command: ['node', '-e', writerProgram, String(each)] });
  const sdl = sdlOf(
    { web: writer(Math.ceil((rate * 2) / 3)), worker: writer(Math.ceil(rate / 3)) },
    'chatty',
  );
  const created = await callHost(host.baseUrl, token, 'createDeployment', { json: { sdl } });
  const { deployment } = created.body as { readonly deployment: { readonly id: string } };

  const has = { limit: 1, offset: earlierLines };
  const hasWritten = async () =>
    (await readPage(host.baseUrl, token, deployment.id, has)).length > 0;
  await until('the first lines', hasWritten, { within: patience, every: 50 });

  return {
    baseUrl: host.baseUrl,
    token,
    deployment: deployment.id,
    async fail(milliseconds) {
      await host.end(milliseconds % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await sleep(milliseconds);
      host = await startHost(data);
      return host.baseUrl;
    },
    async stop() {
      await callHost(host.baseUrl, token, 'closeDeployment', { id: deployment.id });
      // The last that each service has is the word that it was stopped.
      const hasStopped = async () => {
        const newest = await readPage(host.baseUrl, token, deployment.id, { limit: 2, offset: 0 });
        return newest.every(({ logLine }) => logLine === 'stopped');
      };
      await until('the end of both services', hasStopped, { within: patience, every: 20 });
    },
    record: () => readRecord(host.baseUrl, token, deployment.id),
    faults: skippedNumbers,
    async [Symbol.asyncDispose]() {
      await host.end('SIGTERM');
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Numbers that a process wrote and the record does not have in order: the host itself lost lines. */
function skippedNumbers(record: readonly LogLine[]): readonly string[] {
  const lastOf = new Map<string, number>();
  return record.flatMap(({ serviceName, logLine }) => {
    const [, run, digits] = /^(run-\d+) (\d+) /.exec(logLine) ?? [];
    if (run === undefined) return [];
    const writer = `${serviceName} ${run}`;
    const before = lastOf.get(writer) ?? 0;
    const number = Number(digits);
    lastOf.set(writer, number);
    return number === nextUnique(before) ? [] : [`${writer} wrote ${number} after ${before}`];
  });
}

interface HostProcess {
  readonly baseUrl: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

async function startHost(data: string): Promise<HostProcess> {
  const command = JSON.stringify({ kind: 'host', port: 0, version: 'cuts', data });
  const child = spawn(process.execPath, [hostProgram, command], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
  return {
    baseUrl: line.slice(line.indexOf('http')),
    async end(signal) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}

/** All lines, oldest first. */
async function readRecord(
  baseUrl: string,
  token: string,
  deployment: string,
): Promise<readonly LogLine[]> {
  const pages: (readonly LogLine[])[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const page = await readPage(baseUrl, token, deployment, { limit: pageSize, offset });
    pages.push(page.toReversed());
    if (page.length < pageSize) return pages.toReversed().flat();
  }
}

async function readPage(baseUrl: string, token: string, id: string, query: Page) {
  const answer = await callHost(baseUrl, token, 'fetchLogs', { id, query });
  return fieldOf(answer, 'logs') as readonly LogLine[];
}

interface Page extends Record<string, number> {
  readonly limit: number;
  readonly offset: number;
}
