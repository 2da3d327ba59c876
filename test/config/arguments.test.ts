import { describe, expect, it } from 'vitest';
import { readArguments } from '../../source/config/arguments.ts';

describe('the command line', () => {
  it('opens the console when it names no command', () => {
    expect(readArguments([])).toEqual({
      kind: 'console',
      baseUrl: undefined,
      ascii: false,
      unicode: false,
      screenReader: false,
    });
    expect(readArguments(['--base-url', 'http://x', '--ascii'])).toMatchObject({
      kind: 'console',
      baseUrl: 'http://x',
      ascii: true,
    });
  });

  it('draws with ASCII or with Unicode, or writes lines for a screen reader', () => {
    expect(readArguments(['--unicode', '--screen-reader'])).toMatchObject({
      kind: 'console',
      unicode: true,
      screenReader: true,
    });
    expect(readArguments(['--ascii', '--unicode'])).toEqual({
      kind: 'usage',
      sentence: '--ascii and --unicode exclude each other. Give one of them.',
    });
  });

  it('opens one incident file', () => {
    expect(readArguments(['open', 'a.gz', '--ascii'])).toMatchObject({
      kind: 'console',
      incident: 'a.gz',
      ascii: true,
    });
    expect(readArguments(['open'])).toMatchObject({ kind: 'usage', sentence: 'FILE is missing.' });
    expect(readArguments(['open', 'a', 'b'])).toMatchObject({ kind: 'usage' });
    expect(readArguments(['open', 'a', '--profile', 'x'])).toMatchObject({ kind: 'usage' });
  });

  it('takes a profile or a base URL, not both', () => {
    expect(readArguments(['--profile', 'prod'])).toMatchObject({
      kind: 'console',
      profile: 'prod',
    });
    expect(readArguments(['--profile', 'prod', '--base-url', 'http://x'])).toEqual({
      kind: 'usage',
      sentence: '--profile and --base-url name two services. Give one of them.',
    });
  });

  it('reads the delay of restarts', () => {
    expect(readArguments(['--restart-delay', '2.5'])).toMatchObject({ restartDelay: 2500 });
    expect(readArguments(['--restart-delay', 'off'])).toMatchObject({ restartDelay: 'off' });
    for (const wrong of ['', '-1', 'never', '86401', '5s']) {
      expect(readArguments([`--restart-delay=${wrong}`])).toMatchObject({ kind: 'usage' });
    }
  });

  it('reads the commands of the host', () => {
    expect(readArguments(['host', '--port', '0', '--data', '/d'])).toEqual({
      kind: 'host',
      address: undefined,
      port: 0,
      exposure: undefined,
      names: [],
      data: '/d',
      leased: false,
      sandbox: undefined,
      takeOver: false,
      trustWallets: false,
      limits: {},
    });
    const address = `0x${'5a'.repeat(20)}`;
    expect(readArguments(['host', 'token', '--wallet', address])).toMatchObject({
      wallet: address,
    });
    expect(readArguments(['host', 'token', '--wallet', 'a', '--any-address'])).toMatchObject({
      wallet: 'a',
    });
    expect(readArguments(['host', 'backup', 'x.tar.gz', '--data', '/d'])).toEqual({
      kind: 'backup',
      data: '/d',
      file: 'x.tar.gz',
      hasVolumes: false,
    });
    expect(readArguments(['host', 'backup', 'x', '--volumes'])).toMatchObject({ hasVolumes: true });
    expect(readArguments(['host', 'restore', 'x.tar.gz'])).toMatchObject({
      kind: 'restore',
      file: 'x.tar.gz',
    });
    expect(readArguments(['host', 'wallet', address, '--balance', '0.1'])).toMatchObject({
      kind: 'wallet',
      wallet: address,
      balance: '0.1',
    });
  });

  it('tells wrong usage in a sentence', () => {
    const wrong = [
      ['frobnicate'],
      ['--frobnicate'],
      ['host', 'frobnicate'],
      ['host', '--port', '70000'],
      ['host', 'token'],
      ['host', 'wallet'],
      ['host', 'wallet', 'balance'],
      ['host', 'token', '--wallet', '0x1'],
      ['host', 'backup'],
      ['host', 'restore', ''],
    ];
    for (const argv of wrong) expect(readArguments(argv)).toMatchObject({ kind: 'usage' });
  });

  it('never takes a token, which everybody would see in the process list', () => {
    for (const flag of ['--token', '--token=x', '--access-token']) {
      expect(readArguments([flag])).toMatchObject({
        kind: 'usage',
        sentence: 'Tokens are not accepted as flags. Set HOSTDECK_TOKEN.',
      });
    }
  });
});

it('bounds the memory of a log', () => {
  expect(readArguments(['--log-lines', '5000', '--log-bytes', '512M'])).toMatchObject({
    kind: 'console',
    logMemory: { maxLines: 5000, maxBytes: 512 * 2 ** 20 },
  });
  expect(readArguments(['--log-lines', 'many'])).toEqual({
    kind: 'usage',
    sentence: '--log-lines must be a number from 1000 to 100000000.',
  });
  expect(readArguments(['--log-bytes', '1'])).toEqual({
    kind: 'usage',
    sentence: '--log-bytes must be a size from 1M to 64G.',
  });
});
