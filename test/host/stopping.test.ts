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
  // Sandboxes would change the process ids.
  service = await temporaryHost({ graceMs, sandbox: 'off' });
  owner = service.as('0xowner');
});

afterEach(() => service.remove());

/** Deploys a service and waits for `count` lines of its own. */
async function running(web: SdlService, lines: number): Promise<string> {
  const { id } = await deploy(owner, sdlOf({ web }));
  await waitForLines(id, lines);
  return id;
}

async function waitForLines(id: string, count: number): Promise<readonly string[]> {
  return await waitFor(async () => {
    const lines = (await readLines(owner, id)).filter((line) => line.startsWith('own '));
    expect(lines.length).toBeGreaterThanOrEqual(count);
    return lines.map((line) => line.slice(4));
  });
}

/** Restarts a deployment. Resolves when its instance has stopped. */
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
  it('sends SIGTERM to the whole group and waits for its exit', async () => {
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
    expect(await waitForLines(id, 4)).toEqual(expect.arrayContaining(['child asked', 'done']));
  });

  it('sends SIGKILL to processes that ignore SIGTERM, after the grace period', async () => {
    const id = await running(
      nodeService(
        `process.on('SIGTERM', () => console.log('own asked'));
         console.log('own', process.pid); setInterval(() => {}, 1e3)`,
      ),
      1,
    );
    const [pid] = await waitForLines(id, 1);
    const since = performance.now();
    await stop(id, 1);
    expect(performance.now() - since).toBeGreaterThanOrEqual(graceMs);
    expect(isRunning(Number(pid))).toBe(false);
    expect((await readDeployment(owner, id)).services[0]?.exitCode ?? null).toBe(null);
  });

  it('grants the grace period to a process of the group that hides its environment', async () => {
    const hiding = `trap 'sleep 0.2; echo own done; exit' TERM; echo own up
      left=1200; while [ $((left -= 1)) -gt 0 ]; do sleep 0.05; done`;
    const web: SdlService = {
      command: ['sh', '-c'],
      args: ['env -i PATH="$PATH" sh -c "$HIDING" & wait'],
      env: [`HIDING=${hiding}`],
    };
    const id = await running(web, 1);
    await stop(id, 1);
    expect(await waitForLines(id, 2)).toContain('done');
  });

  it.runIf(process.platform === 'linux')(
    'stops a process that left its group and keeps forking',
    { timeout: 60_000 },
    async () => {
      // The chain ends by itself after about 20 s, in case this test is killed.
      const chain = `[ $LEFT -gt 0 ] || exit; LEFT=$((LEFT - 1)); sleep 0.05; setsid sh -c "$NEXT" >/dev/null 2>&1 </dev/null &`;
      const web: SdlService = {
        command: ['sh', '-c'],
        args: ['setsid sh -c "$NEXT" >/dev/null 2>&1 </dev/null & echo own up; exec sleep 60'],
        env: [`NEXT=${chain}`, 'LEFT=400', 'HOSTDECK_RUN=mine'],
      };
      const id = await running(web, 1);
      for (const count of [1, 2]) {
        await stop(id, count);
        await waitForLines(id, count + 1);
      }
      await owner.call('closeDeployment', { id });
      await waitFor(async () => {
        const lines = await readLines(owner, id);
        expect(lines.filter((line) => line === 'stopped')).toHaveLength(3);
      });
      // Each process lives for a while, so that a missed one would have forked others by now.
      const looks = Array.from({ length: 20 }, () => carriersOf(`NEXT=${chain}`).length);
      expect(Math.max(...looks)).toBe(0);
    },
  );
});

it('every run has a unique id in its environment, which its SDL cannot change', async () => {
  const web = nodeService(
    `console.log('own', process.env.HOSTDECK_RUN); setInterval(() => {}, 1e3)`,
    {
      count: 2,
      env: ['HOSTDECK_RUN=mine'],
    },
  );
  const id = await running(web, 2);
  await owner.call('restartDeployment', { id });
  const runs = await waitForLines(id, 4);
  expect(new Set(runs).size).toBe(4);
  for (const run of runs) expect(run).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
