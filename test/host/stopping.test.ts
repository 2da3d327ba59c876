import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deploy, readDeployment, readLines } from './support/bodies.ts';
import { isRunning } from './support/processes.ts';
import {
  type Caller,
  nodeService,
  sdlOf,
  type SdlService,
  type TemporaryHost,
  temporaryHost,
} from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const graceMs = 600;

let service: TemporaryHost;
let owner: Caller;

beforeEach(async () => {
  // Without sandboxes, in which processes have other ids.
  service = await temporaryHost({ graceMs, sandbox: 'off' });
  owner = service.as('0xowner');
});

afterEach(() => service.remove());

/** A deployment of this service that has said so many lines of its own. */
async function running(web: SdlService, lines: number): Promise<string> {
  const { id } = await deploy(owner, sdlOf({ web }));
  await said(id, lines);
  return id;
}

async function said(id: string, count: number): Promise<readonly string[]> {
  return await waitFor(async () => {
    const lines = (await readLines(owner, id)).filter((line) => line.startsWith('own '));
    expect(lines.length).toBeGreaterThanOrEqual(count);
    return lines.map((line) => line.slice(4));
  });
}

/** Restarts it, which stops it first; settles when it has been stopped. */
async function stop(id: string, count: number): Promise<void> {
  await owner.call('restartDeployment', { id });
  await waitFor(async () => {
    const lines = await readLines(owner, id);
    expect(lines.filter((line) => line === 'stopped')).toHaveLength(count);
  });
}

function carriersOf(mark: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      return environment.includes(mark) && isRunning(Number(name)) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

describe('a stop', () => {
  it('asks the whole group with SIGTERM, and waits for what it still has to do', async () => {
    const id = await running(
      nodeService(`
        const { spawn } = require('node:child_process');
        const child = spawn(process.execPath, ['-e', \`
          process.on('SIGTERM', () => { console.log('own child asked'); process.exit(); });
          console.log('own child'); setTimeout(() => {}, 6e4)\`], { stdio: 'inherit' });
        process.on('SIGTERM', () => setTimeout(() => { console.log('own done'); process.exit(); }, 200));
        console.log('own leader'); setInterval(() => {}, 1e3)`),
      2,
    );
    await stop(id, 1);
    expect(await said(id, 4)).toEqual(expect.arrayContaining(['child asked', 'done']));
  });

  it('makes what ignores that with SIGKILL, not before its time is over', async () => {
    const id = await running(
      nodeService(
        `process.on('SIGTERM', () => console.log('own asked'));
         console.log('own', process.pid); setInterval(() => {}, 1e3)`,
      ),
      1,
    );
    const [pid] = await said(id, 1);
    const since = performance.now();
    await stop(id, 1);
    expect(performance.now() - since).toBeGreaterThanOrEqual(graceMs);
    expect(isRunning(Number(pid))).toBe(false);
    expect((await readDeployment(owner, id)).services[0]?.exitCode ?? null).toBe(null);
  });

  it('leaves its time also to one of the group that hides its environment', async () => {
    const hiding = `trap 'sleep 0.2; echo own done; exit' TERM; echo own up
      left=1200; while [ $((left -= 1)) -gt 0 ]; do sleep 0.05; done`;
    const web: SdlService = {
      command: ['sh', '-c'],
      args: ['env -i PATH="$PATH" sh -c "$HIDING" & wait'],
      env: [`HIDING=${hiding}`],
    };
    const id = await running(web, 1);
    await stop(id, 1);
    expect(await said(id, 2)).toContain('done');
  });

  it.runIf(process.platform === 'linux')(
    'ends what left its group and goes from process to process',
    { timeout: 60_000 },
    async () => {
      // Ends by itself after some 20 s, as nothing else ends it when this test is killed.
      const chain = `[ $LEFT -gt 0 ] || exit; LEFT=$((LEFT - 1)); sleep 0.05; setsid sh -c "$NEXT" >/dev/null 2>&1 </dev/null &`;
      const web: SdlService = {
        command: ['sh', '-c'],
        args: ['setsid sh -c "$NEXT" >/dev/null 2>&1 </dev/null & echo own up; exec sleep 60'],
        env: [`NEXT=${chain}`, 'LEFT=400', 'HOSTDECK_RUN=mine'],
      };
      const id = await running(web, 1);
      for (const count of [1, 2]) {
        await stop(id, count);
        await said(id, count + 1);
      }
      await owner.call('closeDeployment', { id });
      await waitFor(async () => {
        const lines = await readLines(owner, id);
        expect(lines.filter((line) => line === 'stopped')).toHaveLength(3);
      });
      // Each link is there for a while: one that was missed has made others by now.
      const looks = Array.from({ length: 20 }, () => carriersOf(`NEXT=${chain}`).length);
      expect(Math.max(...looks)).toBe(0);
    },
  );
});

it('every run carries an id of its own, whatever its SDL says', async () => {
  const web = nodeService(
    `console.log('own', process.env.HOSTDECK_RUN); setInterval(() => {}, 1e3)`,
    {
      count: 2,
      env: ['HOSTDECK_RUN=mine'],
    },
  );
  const id = await running(web, 2);
  await owner.call('restartDeployment', { id });
  const runs = await said(id, 4);
  expect(new Set(runs).size).toBe(4);
  for (const run of runs) expect(run).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
