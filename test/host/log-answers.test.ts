import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultLimits } from '../../source/client/http/limits.ts';
import { deploy, fieldOf, readLines } from './support/bodies.ts';
import {
  type Caller,
  nodeService,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

let service: TemporaryHost;
let owner: Caller;

beforeAll(async () => {
  service = await temporaryHost();
  owner = service.as('0xowner');
});

afterAll(() => service.remove());

it('a page of long lines with many escapes stays below the limit of a client', async () => {
  const lines = 200;
  const program = `const line = '\\x01'.repeat(60_000) + '\\n';
    for (let n = 0; n < ${lines}; n++) process.stdout.write(line);
    process.stdout.write('last\\n');
    setInterval(() => {}, 1000)`;
  const { id } = await deploy(owner, sdlOf({ web: nodeService(program) }));
  await waitFor(async () => {
    expect(await readLines(owner, id, { limit: 1 })).toEqual(['last']);
  });
  const read: string[] = [];
  while (read.length < lines) {
    const query = { limit: 10_000, offset: read.length, search: '\x01' };
    const answer = await owner.call('fetchLogs', { id, query });
    expect(Number(answer.headers['content-length'])).toBeLessThan(defaultLimits.maxAnswer);
    const page = fieldOf(answer, 'logs') as readonly { readonly logLine: string }[];
    expect(page).not.toEqual([]);
    read.push(...page.map((line) => line.logLine));
  }
  expect(new Set(read)).toEqual(new Set(['\x01'.repeat(60_000)]));
  await owner.call('closeDeployment', { id });
});
