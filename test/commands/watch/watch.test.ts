import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AlertRule } from '../../../source/store/alerts/rule.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { type Foreign, startForeign } from '../../servers/foreign.ts';
import { parseRules } from '../../support/alert-rules.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { runCommand } from '../run-command.ts';

async function openForeign(): Promise<Foreign> {
  const foreign = await startForeign();
  onTestFinished(() => foreign.close());
  return foreign;
}

/** Lets the deployments with these names fail. */
function fail({ deployments }: Foreign, ...names: readonly string[]): void {
  for (const one of deployments.values()) {
    if (names.includes(one.title)) Object.assign(one, { status: 'failed' });
  }
}

const panic = parseRules('when: "pattern: panic", deployments: bazaar');

/** Starts a watch. Returns its output, and the function that interrupts it. */
function startWatch(
  foreign: Foreign,
  argv: readonly string[],
  rules?: readonly AlertRule[],
  state?: string,
) {
  const controller = new AbortController();
  let text = '';
  let notes = '';
  const ended = runCommand(foreign, ['watch', ...argv], {
    ...(rules !== undefined && { rules }),
    ...(state !== undefined && { state }),
    signal: controller.signal,
    onOutput: (piece) => void (text += piece),
    onNote: (piece) => void (notes += piece),
  });
  return {
    sentences: () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => line.replace(/^\S+ /, '')),
    notes: () => notes,
    async interrupt() {
      controller.abort();
      return ended;
    },
    ended,
  };
}

describe('hostdeck watch --once', () => {
  it('ends with 0 where nothing needs attention, and with 10 where something does', async () => {
    const foreign = await openForeign();
    expect(await runCommand(foreign, ['watch', '--once'])).toMatchObject({ code: 0, stdout: '' });
    fail(foreign, 'bazaar');
    const found = await runCommand(foreign, ['watch', '--once']);
    expect(found.code).toBe(10);
    expect(found.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z bazaar has failed\.\n$/);
    const quiet = await runCommand(foreign, ['watch', '--once', '-q']);
    expect(quiet).toMatchObject({ code: 10, stdout: '', stderr: '' });
  });

  it('prints an object for each alert with --json', async () => {
    const foreign = await openForeign();
    fail(foreign, 'bazaar');
    const { stdout } = await runCommand(foreign, ['watch', '--once', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      at: expect.any(String),
      when: 'crash',
      sentence: 'bazaar has failed.',
      deployment: { id: foreign.sample, name: 'bazaar' },
    });
  });

  it('looks at the named deployments alone, and says which rules it leaves out', async () => {
    const foreign = await openForeign();
    await createDeployment(foreign, 'shop');
    fail(foreign, 'shop');
    expect(await runCommand(foreign, ['watch', 'bazaar', '--once'])).toMatchObject({ code: 0 });
    expect(await runCommand(foreign, ['watch', 'sho', '--once'])).toMatchObject({ code: 10 });
    expect(await runCommand(foreign, ['watch', 'shp', '--once'])).toMatchObject({ code: 3 });
    const left = await runCommand(foreign, ['watch', '--once'], { rules: panic });
    expect(left).toMatchObject({ code: 0, stdout: '' });
    expect(left.stderr).toContain('--once leaves out rules on log lines: 1.');
    const none = await runCommand(foreign, ['watch', 'shop'], { rules: panic });
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('No alert rule is about shop.');
    expect(await runCommand(foreign, ['watch'], { rules: [] })).toMatchObject({ code: 2 });
  });

  it('fails like other commands where the service refuses or does not answer', async () => {
    const foreign = await openForeign();
    const other = { baseUrl: foreign.baseUrl, token: 'wrong' };
    expect(await runCommand(other, ['watch', '--once'])).toMatchObject({ code: 4, stdout: '' });
    await foreign.away();
    expect(await runCommand(foreign, ['watch', '--once'])).toMatchObject({ code: 8, stdout: '' });
  });
});

describe('hostdeck watch', () => {
  it('tells each episode once, across an outage, and ends with 130', async () => {
    const foreign = await openForeign();
    const errors = parseRules('when: errors>1/h, deployments: bazaar');
    const misspelled = parseRules('when: silent 5m, deployments: bazar');
    const watch = startWatch(foreign, [], [...panic, ...errors, ...misspelled]);
    await waitFor(() => expect(foreign.streams()).toBe(1));
    foreign.append(foreign.sample, 'web', 'panic: \u001b[31mlost');
    await waitFor(() =>
      expect(watch.sentences()).toEqual([
        'bazaar has a line that matches "panic". panic: ^[[31mlost',
      ]),
    );
    await foreign.away();
    await foreign.back();
    await waitFor(() => expect(foreign.streams()).toBe(1));
    foreign.append(foreign.sample, 'web', 'panic: again');
    await waitFor(() =>
      expect(watch.sentences().slice(1)).toEqual(['bazaar has 2 errors in 1h. panic: again']),
    );
    const { code, stderr } = await watch.interrupt();
    expect(code).toBe(130);
    expect(stderr).toContain('Watching 3 rules on ');
    expect(stderr).toContain('No deployment is named bazar yet; its rules wait for one.');
  });

  it('runs commands, and says which of them failed', async () => {
    const foreign = await openForeign();
    const file = path.join(temporaryFolder(), 'ran');
    const watch = startWatch(
      foreign,
      [],
      parseRules(
        `when: "& user=ann", deployments: bazaar, run: 'echo "$HOSTDECK_ALERT" "$HOSTDECK_LINE" > ${file}'`,
        'when: "& user=bob", deployments: bazaar, run: exit 4',
      ),
    );
    await waitFor(() => expect(foreign.streams()).toBe(1));
    for (const text of ['user=ann', 'user=bob']) foreign.append(foreign.sample, 'web', text);
    const sentence = 'bazaar has a line that matches "user=ann". user=ann';
    await waitFor(() => expect(readFileSync(file, 'utf8')).toBe(`${sentence}\n`));
    await waitFor(() =>
      expect(watch.notes()).toContain('The command of the rule & user=bob failed: exit 4.\n'),
    );
    expect(watch.sentences()).toContain(sentence);
    await watch.interrupt();
  });

  it('tells nothing again that it told before a restart', async () => {
    const foreign = await openForeign();
    await createDeployment(foreign, 'shop');
    const state = temporaryFolder();
    fail(foreign, 'bazaar');
    const first = startWatch(foreign, [], undefined, state);
    await waitFor(() => expect(first.sentences()).toEqual(['bazaar has failed.']));
    await first.interrupt();
    fail(foreign, 'shop');
    const second = startWatch(foreign, [], undefined, state);
    await waitFor(() => expect(second.sentences()).toEqual(['shop has failed.']));
    await second.interrupt();
  });

  it('ends when the token is rejected, and tells that', async () => {
    const foreign = await openForeign();
    const { ended } = startWatch({ ...foreign, token: 'wrong' }, []);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(4);
    expect(stdout).toMatch(/ The service rejected the token \(401\)\.\n$/);
    expect(stderr).toContain('401');
  });
});
