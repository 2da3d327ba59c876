import { once } from 'node:events';
import {
  closeSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StartFailure } from '../../source/host/start-failure.ts';
import { waitFor } from '../support/wait-for.ts';
import { deploy, fieldOf, readLines, readLogs } from './support/bodies.ts';
import { counting, HostFolder, pidsIn, serving } from './support/host-folder.ts';
import { isRunning } from './support/processes.ts';
import { nodeService, sdlOf } from './support/temporary-host.ts';

const folder = HostFolder.ofEachTest();

/** A service that prints its process id, and nothing that would fail without its host. */
const silent = nodeService(`console.log('pid', process.pid); setInterval(() => {}, 1e3)`);

const fileOf = (name: string) => path.join(folder.dataDir, name);

const setAside = () => readdirSync(folder.dataDir).filter((name) => name.startsWith('damaged-'));

/** Overwrites every page of a file but the first one in its middle, where cells are. */
function damagePages(name: string): void {
  const { size } = statSync(fileOf(name));
  const file = openSync(fileOf(name), 'r+');
  for (let at = 4096; at + 4096 <= size; at += 4096)
    writeSync(file, Buffer.alloc(64, 0xff), 0, 64, at);
  closeSync(file);
}

/** Kills a host with a running service. Returns the id of its process. */
async function kill(): Promise<number> {
  const host = folder.run(serving);
  const caller = await folder.caller();
  const { id } = await deploy(caller, sdlOf({ web: silent }));
  const [pid = 0] = await pidsIn(caller, id, 1);
  host.kill('SIGKILL');
  await once(host, 'exit');
  return pid;
}

async function failure(): Promise<StartFailure> {
  return await folder.start().then(
    () => {
      throw new Error('the host has started');
    },
    (error: unknown) => error as StartFailure,
  );
}

describe('a host whose records are damaged', () => {
  it.each<[string, () => void]>([
    ['in their pages', () => damagePages('host.db')],
    ['because they are text', () => writeFileSync(fileOf('host.db'), 'x'.repeat(10_000))],
    ['because they are empty', () => writeFileSync(fileOf('host.db'), '')],
    ['because they are missing', () => rmSync(fileOf('host.db'))],
  ])('%s moves them aside and says what is lost', async (_, damage) => {
    const first = await folder.start();
    await deploy(await folder.caller(), sdlOf({ web: counting }));
    await first.close();
    damage();
    const { code, message } = await failure();
    const [aside = ''] = setAside();
    expect(code).toBe('damaged-data');
    expect(message).toContain(`They were moved to ${fileOf(aside)}, with the logs and the files`);
    expect(message).toMatch(
      /no deployments, grants, tokens and balances.* restore your last backup/,
    );
    expect(readdirSync(fileOf(aside))).toEqual(expect.arrayContaining(['deployments', 'logs.db']));
    expect(statSync(fileOf(aside)).mode & 0o777).toBe(0o700);

    const next = await folder.start();
    expect(next.notices).toEqual([expect.stringContaining(fileOf(aside))]);
    const answer = await (await folder.caller()).call('listDeployments');
    expect(fieldOf(answer, 'deployments')).toEqual([]);
  });

  it('keeps the wallet, and ends the services of a killed host at the next start', async () => {
    const pid = await kill();
    // The header of the log, and the first page, which lists the tables.
    for (const [name, at] of [
      ['host.db-wal', 0],
      ['host.db', 100],
    ] as const) {
      const file = openSync(fileOf(name), 'r+');
      writeSync(file, Buffer.alloc(32, 0xff), 0, 32, at);
      closeSync(file);
    }
    const { message } = await failure();
    expect(message).toContain('it ends the services that still run, as far');
    expect(isRunning(pid)).toBe(true);
    await folder.start();
    await waitFor(() => expect(isRunning(pid)).toBe(false));
  });
});

it('a host whose logs are damaged moves them aside, and gives no id of a line twice', async () => {
  const first = await folder.start();
  const caller = await folder.caller();
  const { id } = await deploy(caller, sdlOf({ web: counting }));
  await pidsIn(caller, id, 1);
  await first.close();
  writeFileSync(fileOf('logs.db'), 'x'.repeat(10_000));
  const lostAt = Date.now();
  const { code, message } = await failure();
  expect(code).toBe('damaged-data');
  expect(message).toMatch(
    /The logs in .* are damaged .*begins with empty logs; deployments, files/,
  );
  await folder.start();
  const again = await folder.caller();
  await waitFor(async () => expect(await readLines(again, id)).toContain('n 1'));
  const ids = (await readLogs(again, id)).map((line) => line.id);
  expect(Math.min(...ids)).toBeGreaterThan(lostAt);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});
