import { execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLaunch, launchedStatus } from '../../../source/host/runtime/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Variables that a shell sets itself. */
const shellVariables = new Set(['PWD', 'OLDPWD', 'SHLVL', '_']);

const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ignore'];

function environmentOf(variables: Readonly<Record<string, string>>): Record<string, string> {
  const { command, env } = createLaunch(['/usr/bin/env', '-0'], variables);
  const [program = '', ...args] = command;
  const out = execFileSync(program, args, { env, encoding: 'utf8', stdio });
  const entries = out.split('\0').filter((entry) => entry !== '' && !entry.startsWith('_='));
  const seen = entries.map((entry): [string, string] => {
    const equals = entry.indexOf('=');
    return [entry.slice(0, equals), entry.slice(equals + 1)];
  });
  return Object.fromEntries(
    seen.filter(([name]) => !shellVariables.has(name) || name in variables),
  );
}

describe('a launch', () => {
  it('sets variables of any name and value', () => {
    const name = fc.oneof(
      fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
      fc.constantFrom('a.b', 'x-y', '0', 'UID', 'PPID', 'IFS', 'ENV', 'discovery.type', '-u', 'é'),
    );
    const value = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));
    const variables = fc
      .dictionary(name, value, { maxKeys: 12 })
      .map((entries) => Object.assign(entries, { PATH: '/usr/bin:/bin' }))
      .filter((entries) => Object.keys(entries).every((each) => !shellVariables.has(each)));
    fc.assert(
      fc.property(variables, (expected) => {
        expect(environmentOf(expected)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('passes variables under other names to the programs before the command', () => {
    const { command, env } = createLaunch(['true'], { LD_PRELOAD: '/app/evil.so', PATH: '/app' });
    expect(Object.keys(env)).toEqual(['HOSTDECK_V0', 'HOSTDECK_V1']);
    expect(command.join(' ')).not.toContain('evil');
  });

  it('reports whether the command was started', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'plain'), 'text');
    const variables = { PATH: '/usr/bin:/bin' };
    const statusOf = async (...words: readonly string[]) => {
      const { command, env } = createLaunch(words, variables, folder);
      const [program = '', ...args] = command;
      const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
      const [status] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')]);
      return [status, child.exitCode];
    };
    expect(await statusOf('true')).toEqual([launchedStatus, 0]);
    expect(await statusOf('sh', '-c', 'exit 3')).toEqual([launchedStatus, 3]);
    expect(await statusOf('no-such-command')).toEqual(['not found', 127]);
    expect(await statusOf('./nowhere')).toEqual(['not found', 127]);
    expect(await statusOf('./plain')).toEqual(['not executable', 126]);
  });

  it('starts in its folder, with unchanged arguments', () => {
    const folder = path.join(temporaryFolder(), "a folder with 'quotes'");
    mkdirSync(folder);
    const words = ['sh', '-c', 'pwd; printf "<%s>" "$@"', 'x', '', ' b ', '$HOME', '*'];
    const { command, env } = createLaunch(words, { PATH: '/usr/bin:/bin' }, folder);
    const [program = '', ...args] = command;
    const out = execFileSync(program, args, { env, encoding: 'utf8', stdio });
    expect(out).toBe(`${folder}\n<>< b ><$HOME><*>`);
  });
});
