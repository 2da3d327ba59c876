import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProofRecords } from '../../../source/disk/proof-records.ts';
import { createTrashFolder } from '../../../source/disk/trash-folder.ts';
import { digestOf } from '../../../source/store/drafts/digest.ts';
import { deploy, readLines } from '../../host/support/bodies.ts';
import { sharedHost } from '../../host/support/shared-host.ts';
import { sdlOf } from '../../host/support/temporary-host.ts';
import { startForeign } from '../../servers/foreign.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type CommandEnd, runCommand } from '../run-command.ts';

/** Seconds of a proof; a start that is compared with has to be as old. */
const proof = 3;

const host = sharedHost({ sandbox: 'off' });
const owner = host.as('0xowner');

/** A service that runs the script which is uploaded to it, and by itself serves. */
const serve = 'while :; do echo served; sleep 0.2; done\n';
const scripted = {
  command: ['sh', '-c'],
  args: [`if [ -f run.sh ]; then exec sh run.sh; fi; ${serve}`],
};

interface Story {
  readonly name: string;
  /** The script that somebody uploads. */
  readonly script: string;
  readonly code: number;
  readonly says: RegExp;
}

const stories: readonly Story[] = [
  {
    name: 'a mistake in the configuration that ends the service',
    script: 'echo "reading config"; echo "FATAL no port in config/app.yaml"; exit 1\n',
    code: 6,
    says: /^\S+ is worse since [\d:]{8}: 1 crash[.,].* 1 of your files; others may have changed too\.$/,
  },
  {
    name: 'a typing error in the code that fails each request',
    script: 'while :; do echo "TypeError: price is not a function"; sleep 0.1; done\n',
    code: 6,
    says: /^\S+ is worse since [\d:]{8}: [\d,]+ errors\/min \(0 before, [\d,]+ of a new kind\)\. 1 of your files/,
  },
  {
    name: 'a good change',
    script: `echo "version 2"\n${serve}`,
    code: 0,
    says: /^\S+ has no new problems since [\d:]{8}: 0 errors\/min \(0 before\)\.$/,
  },
];

async function put(
  baseUrl: { baseUrl: string; token: string },
  script: string,
  to: string,
): Promise<CommandEnd> {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, 'run.sh'), script);
  return runCommand(baseUrl, ['files', 'put', 'run.sh', to, '--yes', '--prove'], { cwd, proof });
}

describe('files put --prove on our host', () => {
  it.concurrent.each(stories)(
    'tells the outcome of $name',
    async ({ name, script, code, says }) => {
      const label = name.replaceAll(' ', '-');
      const { id } = await deploy(owner, sdlOf({ web: scripted }, label));
      await waitFor(async () => expect((await readLines(owner, id)).length).toBeGreaterThan(20));
      const end = await put(
        { baseUrl: host.host.baseUrl, token: owner.token },
        script,
        `${id}/web:`,
      );
      expect(end.stdout.split('\n').at(-2)).toMatch(says);
      expect(end).toMatchObject({ code, stderr: expect.stringContaining('Watching') });
    },
  );
});

describe('--auto-restore', () => {
  const lines = async (id: string) =>
    (await readLines(owner, id)).filter((line) => line === 'served');

  it.concurrent('brings the old bytes back where it is worse, restarts, and proves that', async () => {
    const service = { baseUrl: host.host.baseUrl, token: owner.token };
    const { id } = await deploy(owner, sdlOf({ web: scripted }, 'restored'));
    const cwd = temporaryFolder();
    const state = temporaryFolder();
    const run = (script: string, ...flags: readonly string[]) => {
      writeFileSync(path.join(cwd, 'run.sh'), script);
      const args = ['files', 'put', 'run.sh', `${id}/web:`, '--yes', ...flags];
      return runCommand(service, args, { cwd, state, proof });
    };
    await run(serve);
    await waitFor(async () => expect((await lines(id)).length).toBeGreaterThan(22));
    const end = await run('exit 3\n', '--prove', '--auto-restore');
    const [, worse, better] = end.stdout.trimEnd().split('\n');
    expect(worse).toMatch(/^restored is worse since [\d:]{8}: 1 crash/);
    expect(end.stderr).toContain('Restored run.sh.');
    expect(better).toMatch(/^restored has no new problems since/);
    expect(end.code).toBe(6);
    const file = await owner.call('getFile', { id, name: 'web', path: 'run.sh' });
    expect(file.body).toMatchObject({ file: { content: serve } });
  });

  it('needs --prove', async () => {
    const foreign = await startForeign();
    onTestFinished(() => foreign.close());
    const line = 'deployments restart bazaar --auto-restore';
    expect(await runCommand(foreign, line.split(' '))).toMatchObject({
      code: 2,
      stderr: 'error: --auto-restore restores what --prove finds worse.\nAdd --prove.\n',
    });
    expect(foreign.writes()).toHaveLength(0);
  });
});

describe('on a service with another clock, which tells no times of starts', () => {
  it('restart --prove sees errors that the start before did not write', async () => {
    const hour = 3_600_000;
    const foreign = await startForeign({ now: () => Date.now() + hour, lineEvery: 50 });
    onTestFinished(() => foreign.close());
    const { sample } = foreign;
    await waitFor(() => expect(foreign.lines(sample).length).toBeGreaterThan(150));
    const proving = runCommand(foreign, ['deployments', 'restart', 'bazaar', '--prove', '--json'], {
      proof,
    });
    const isRestarted = () => expect(foreign.writes()).toHaveLength(1);
    await waitFor(isRestarted);
    // The clock of the service is known to the second: errors at once could be those of the run before.
    const written = foreign.lines(sample).length;
    await waitFor(() => expect(foreign.lines(sample).length).toBeGreaterThan(written + 40));
    // Several at a time, because a busy machine is late.
    const writing = setInterval(() => {
      for (const queue of ['a', 'b', 'c']) foreign.append(sample, 'worker', `ERROR no ${queue}`);
    }, 100);
    const { stdout, code } = await proving;
    clearInterval(writing);
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      name: 'bazaar',
      verdict: 'worse',
      crashes: 0,
      service: 'worker',
      usualErrorsPerMinute: 0,
      files: [],
    });
    expect(code).toBe(6);
  });

  it('tells that it is unclear, and why, where the log cannot be read', async () => {
    const foreign = await startForeign({ logLines: 'strings' });
    onTestFinished(() => foreign.close());
    const end = await runCommand(foreign, ['deployments', 'restart', 'bazaar', '--prove'], {
      proof,
    });
    expect(end.stdout.split('\n').at(-2)).toMatch(/^bazaar since [\d:]{8} is unclear: /);
    expect(end.code).toBe(7);
  });
});

describe('--prove', () => {
  it('keeps what a sync replaces and deletes, so that the console can restore it', async () => {
    const foreign = await startForeign();
    onTestFinished(() => foreign.close());
    const cwd = temporaryFolder();
    const state = temporaryFolder();
    const sync = async (text: string, ...flags: readonly string[]) => {
      writeFileSync(path.join(cwd, 'page.html'), text);
      const args = ['files', 'sync', '.', 'bazaar/web:site', '--yes', ...flags];
      return runCommand(foreign, args, { cwd, state, proof: 1 });
    };
    await sync('first', '--restart', 'none');
    expect((await sync('second', '--prove')).code).toBe(0);
    const [batch] = await createTrashFolder(state, 'foreign').batches();
    const written = await digestOf(Buffer.from('second'));
    expect(batch).toMatchObject([{ path: 'site/page.html', reason: 'replaced', written }]);
    const records = await createProofRecords(state, 'foreign').read();
    expect(records).toMatchObject([
      { verdict: 'unchanged', files: [{ service: 'web', path: 'site/page.html' }] },
    ]);
  });

  it('needs a restart that it can watch to its end', async () => {
    const foreign = await startForeign();
    onTestFinished(() => foreign.close());
    for (const line of [
      'deployments restart bazaar --prove --wait',
      'files rm bazaar/web:README.md --prove --restart none',
      'files sync / bazaar/web --prove --watch',
    ]) {
      const { stderr, code } = await runCommand(foreign, line.split(' '));
      expect(code).toBe(2);
      expect(stderr).toContain('--prove');
    }
    expect(foreign.writes()).toHaveLength(0);
  });
});
