import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConfigFile } from '../../source/config/config-file.ts';
import { parseConfig } from '../../source/config/parse-config.ts';
import {
  chooseService,
  readTarget,
  restartDelayOf,
  type ServiceFlags,
} from '../../source/config/service-target.ts';
import { storedTokenFile } from '../../source/config/token-source.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function configOf(text = ''): ConfigFile {
  const parsed = parseConfig(text, '/etc/hostdeck/config.yaml', '/srv/me');
  if (!parsed.ok) throw new Error(parsed.problem.sentence);
  return parsed.value;
}

async function targetOf(
  env: NodeJS.ProcessEnv,
  flags: Partial<ServiceFlags> = {},
  config = configOf(),
  folder = '/nonexistent',
) {
  const choice = chooseService(env, { baseUrl: undefined, profile: undefined, ...flags }, config);
  return choice.ok ? readTarget(choice.value, env, folder) : choice;
}

function temporaryFile(content: string, mode = 0o600): string {
  const file = path.join(temporaryFolder(), 'token');
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

function writeStored(file: string, token: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, token, { mode: 0o600 });
}

const base = { HOSTDECK_BASE_URL: 'https://api.example.com/v9/' };

describe('the target without a configuration file', () => {
  it('is the host on this machine without a base URL', async () => {
    expect(await targetOf({})).toEqual({ ok: true, value: { kind: 'local' } });
    expect(await targetOf({ HOSTDECK_BASE_URL: '' })).toMatchObject({ value: { kind: 'local' } });
    for (const name of ['HOSTDECK_TOKEN', 'HOSTDECK_TOKEN_FILE', 'HOSTDECK_TOKEN_COMMAND']) {
      const notice = `${name} is not used: no base URL is set, so this is the local host.`;
      expect(await targetOf({ [name]: 'x' })).toEqual({
        ok: true,
        value: { kind: 'local', notice },
      });
    }
  });

  it('keeps the path of the base URL without its final slash; the flag outranks the variable', async () => {
    const env = { HOSTDECK_TOKEN: 't', HOSTDECK_WALLET: '0x1', HOSTDECK_PROFILE: 'prod' };
    expect(await targetOf({ ...base, ...env })).toEqual({
      ok: true,
      value: {
        kind: 'remote',
        baseUrl: 'https://api.example.com/v9',
        token: 't',
        source: 'HOSTDECK_TOKEN',
        name: 'prod',
        colour: 'red',
        wallet: '0x1',
        streamAuth: 'header',
        readOnly: false,
        tokenFile: '/nonexistent/tokens/https%3A%2F%2Fapi.example.com%2Fv9',
      },
    });
    expect(await targetOf(env, { baseUrl: 'http://other' })).toMatchObject({
      value: { baseUrl: 'http://other', token: 't' },
    });
  });

  it('takes the token from a file or the first line of a command', async () => {
    // Files of variables are often secrets that a container mounts for all of its users.
    const file = temporaryFile('from-file\n', 0o644);
    expect(await targetOf({ ...base, HOSTDECK_TOKEN_FILE: file })).toMatchObject({
      value: { token: 'from-file' },
    });
    const command = 'printf "from-command\\nnotes\\n"';
    expect(await targetOf({ ...base, HOSTDECK_TOKEN_COMMAND: command })).toMatchObject({
      value: { token: 'from-command' },
    });
  });

  it('is refused in a sentence when something is missing or wrong', async () => {
    const empty = temporaryFile(' \n');
    const cases: [NodeJS.ProcessEnv, string][] = [
      [{ ...base, HOSTDECK_TOKEN_FILE: '/nonexistent' }, 'HOSTDECK_TOKEN_FILE (ENOENT)'],
      [{ ...base, HOSTDECK_TOKEN_FILE: empty }, 'The token of HOSTDECK_TOKEN_FILE is empty'],
      [
        { ...base, HOSTDECK_TOKEN_COMMAND: 'exit 3' },
        "Can't read the token of HOSTDECK_TOKEN_COMMAND",
      ],
      [{ HOSTDECK_BASE_URL: 'api.example.com', HOSTDECK_TOKEN: 't' }, 'has no scheme'],
      [{ HOSTDECK_BASE_URL: 'https://u:secret@x', HOSTDECK_TOKEN: 't' }, 'contains a user'],
      [{ ...base, HOSTDECK_TOKEN: 't', HOSTDECK_STREAM_AUTH: 'cookie' }, 'STREAM_AUTH is cookie'],
    ];
    for (const [env, said] of cases) {
      const target = await targetOf(env);
      if (target.ok) throw new Error(`accepted: ${said}`);
      expect(target.problem.sentence).toContain(said);
      expect(JSON.stringify(target)).not.toContain('secret');
    }
  });
});

describe('the target with profiles', () => {
  const token = (content: string) => `tokenCommand: printf ${content}`;
  const config = configOf(`
default: staging
profiles:
  prod:
    baseUrl: https://prod.example
    ${token('of-prod')}
    wallet: 0xabc
    readOnly: true
    restartDelay: off
  staging: { baseUrl: 'https://staging.example', ${token('of-staging')}, restartDelay: 9 }
  blue: { baseUrl: 'https://blue.example', ${token('of-blue')}, colour: cyan }
`);
  const exported = { ...base, HOSTDECK_TOKEN: 'of-env', HOSTDECK_WALLET: '0xenv' };

  it('follows the flag, then the variables, then the default profile', async () => {
    expect(await targetOf(exported, { profile: 'prod' }, config)).toMatchObject({
      value: { baseUrl: 'https://prod.example', token: 'of-prod', wallet: '0xabc', colour: 'red' },
    });
    expect(await targetOf(exported, {}, config)).toMatchObject({
      value: { baseUrl: 'https://api.example.com/v9', token: 'of-env', readOnly: false },
    });
    expect(await targetOf({}, {}, config)).toMatchObject({
      value: { name: 'staging', token: 'of-staging', source: 'tokenCommand' },
    });
    expect(await targetOf({}, { profile: 'blue' }, config)).toMatchObject({
      value: { name: 'blue', colour: 'cyan' },
    });
  });

  it('says which variables a named profile ignores', async () => {
    const notices = await Promise.all(
      [
        targetOf(exported, { profile: 'prod' }, config),
        targetOf({ HOSTDECK_WALLET: '0x1' }, { profile: 'local' }, config),
        targetOf({ HOSTDECK_TOKEN: 'x' }, {}, config),
        targetOf({}, { profile: 'prod' }, config),
        targetOf({ HOSTDECK_TOKEN: 'x', HOSTDECK_TOKEN_FILE: 'y' }, { profile: 'prod' }, config),
      ].map(async (target) => {
        const { value } = (await target) as { value?: { notice?: string } };
        return value?.notice;
      }),
    );
    expect(notices).toEqual([
      'HOSTDECK_BASE_URL, HOSTDECK_TOKEN and HOSTDECK_WALLET are not used: the profile is prod.',
      'HOSTDECK_WALLET is not used: the profile is local.',
      'HOSTDECK_TOKEN is not used: no base URL is set, so this is profile staging.',
      undefined,
      'HOSTDECK_TOKEN and HOSTDECK_TOKEN_FILE are not used: the profile is prod.',
    ]);
  });

  it('gives another base URL of the flag neither the name nor the wallet of the variables', async () => {
    const env = { ...base, HOSTDECK_PROFILE: 'lab', HOSTDECK_WALLET: '0xenv' };
    const flags = (baseUrl: string) => ({ baseUrl, profile: undefined });
    expect(await targetOf(env, flags('https://other.example'), config)).toMatchObject({
      value: { name: undefined, wallet: undefined },
    });
    expect(await targetOf(env, flags(base.HOSTDECK_BASE_URL), config)).toMatchObject({
      value: { name: 'lab', wallet: '0xenv' },
    });
  });

  it('takes HOSTDECK_PROFILE for a profile of that name, else for a label of the base URL', async () => {
    const named = { ...exported, HOSTDECK_PROFILE: 'prod' };
    expect(await targetOf(named, {}, config)).toMatchObject({ value: { token: 'of-prod' } });
    const label = { ...exported, HOSTDECK_PROFILE: 'lab' };
    expect(await targetOf(label, {}, config)).toMatchObject({
      value: { name: 'lab', token: 'of-env' },
    });
    expect(await targetOf({ HOSTDECK_PROFILE: 'stagin' }, {}, config)).toEqual({
      ok: false,
      problem: {
        sentence: 'There is no profile stagin in /etc/hostdeck/config.yaml.',
        next: 'Did you mean staging?',
      },
    });
  });

  it('never sends a token to another base URL than its own', async () => {
    const refused = await targetOf(exported, { baseUrl: 'https://other.example' }, config);
    expect(refused).toMatchObject({
      problem: {
        sentence: 'HOSTDECK_TOKEN belongs to HOSTDECK_BASE_URL and is not sent to --base-url.',
      },
    });
    const owners: Readonly<Record<string, string>> = {
      'of-env': 'https://api.example.com/v9',
      'of-prod': 'https://prod.example',
      'of-staging': 'https://staging.example',
      'of-blue': 'https://blue.example',
      'stored-of-prod-url': 'https://prod.example',
    };
    const folder = temporaryFolder();
    writeStored(storedTokenFile(folder, 'https://prod.example'), 'stored-of-prod-url');
    const optional = (...texts: string[]) =>
      fc.option(fc.constantFrom(...texts), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          HOSTDECK_BASE_URL: fc.constantFrom(base.HOSTDECK_BASE_URL, 'https://other.example'),
          HOSTDECK_TOKEN: optional('of-env'),
          HOSTDECK_PROFILE: optional('prod', 'lab'),
        }),
        fc.record({
          baseUrl: optional('https://prod.example', 'https://api.example.com/v9'),
          profile: optional('prod', 'blue', 'local', 'none'),
        }),
        async (env, flags) => {
          const owned = env.HOSTDECK_BASE_URL === base.HOSTDECK_BASE_URL;
          const target = await targetOf(env, flags, config, folder);
          if (!target.ok || target.value.kind === 'local' || target.value.token === '') return;
          const { baseUrl } = target.value;
          const owner = owners[target.value.token];
          if (target.value.token === 'of-env' && !owned) {
            expect(baseUrl).toBe('https://other.example');
          } else expect(baseUrl).toBe(owner);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reads what was typed once, where neither a variable nor the profile gives a token', async () => {
    const folder = temporaryFolder();
    const bare = configOf('profiles: { lab: { baseUrl: "https://lab.example" } }');
    const none = { token: '', source: '' };
    const file = storedTokenFile(folder, 'https://lab.example', 'lab');
    expect(await targetOf({}, { profile: 'lab' }, bare, folder)).toMatchObject({
      value: { ...none, tokenFile: file },
    });
    writeStored(file, 'typed');
    expect(await targetOf({}, { profile: 'lab' }, bare, folder)).toMatchObject({
      value: { token: 'typed', source: file, tokenFile: file },
    });
    const { HOSTDECK_BASE_URL: url } = base;
    expect(await targetOf(base, {}, configOf(), folder)).toMatchObject({ value: none });
    writeStored(storedTokenFile(folder, url.replace(/\/$/, '')), 'typed-for-url');
    expect(await targetOf(base, {}, configOf(), folder)).toMatchObject({
      value: { token: 'typed-for-url' },
    });
    expect(await targetOf({ ...base, HOSTDECK_TOKEN: 't' }, {}, configOf(), folder)).toMatchObject({
      value: { token: 't', source: 'HOSTDECK_TOKEN' },
    });
    // The file of http is another one: its token must not go over a line without TLS.
    const insecure = { HOSTDECK_BASE_URL: url.replace('https', 'http') };
    expect(await targetOf(insecure, {}, configOf(), folder)).toMatchObject({ value: none });
    const moved = configOf('profiles: { lab: { baseUrl: "https://other.example" } }');
    expect(await targetOf({}, { profile: 'lab' }, moved, folder)).toMatchObject({ value: none });
    chmodSync(file, 0o644);
    expect(await targetOf({}, { profile: 'lab' }, bare, folder)).toMatchObject({
      problem: { sentence: `Other users may open ${file} (mode 0644), a stored token.` },
    });
  });

  it('refuses a token file that others may open, with the command that mends it', async () => {
    const file = temporaryFile('of-file\n', 0o640);
    const text = `profiles: { prod: { baseUrl: 'http://h', tokenFile: '${file}' } }`;
    const open = await targetOf({}, { profile: 'prod' }, configOf(text));
    expect(open).toEqual({
      ok: false,
      problem: {
        sentence: `Other users may open ${file} (mode 0640), the tokenFile of prod.`,
        next: `Run: chmod 600 ${file}`,
      },
    });
    chmodSync(file, 0o400);
    expect(await targetOf({}, { profile: 'prod' }, configOf(text))).toMatchObject({
      value: { token: 'of-file', source: 'tokenFile' },
    });
  });

  it('lets the variable outrank the delay of a default profile, not of a named one', () => {
    const delay = (env: NodeJS.ProcessEnv, flags: Partial<ServiceFlags>, variable?: number) => {
      const none = { baseUrl: undefined, profile: undefined };
      const choice = chooseService(env, { ...none, ...flags }, config);
      return choice.ok ? restartDelayOf(choice.value, variable) : choice;
    };
    expect(delay({}, { profile: 'prod' }, 1000)).toBe('off');
    expect(delay({}, { profile: 'blue' }, 1000)).toBe(1000);
    expect(delay({}, {}, 1000)).toBe(1000);
    expect(delay({}, {})).toBe(9000);
    expect(delay(base, {})).toBeUndefined();
  });
});
