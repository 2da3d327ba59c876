import { describe, expect, it } from 'vitest';
import { readArguments } from '../../source/config/arguments.ts';
import { commandTable } from '../../source/commands/table/command-table.ts';
import { helpOf } from '../../source/commands/table/command-help.ts';

const read = (line: string) => readArguments(['host', ...line.split(' ')]);

const tls = '--tls-cert c.pem --tls-key k.pem';

describe('how long closed deployments are kept', () => {
  it.each([
    ['0', 0],
    ['7d', 604_800_000],
    ['1.5d', 129_600_000],
    ['12h', 43_200_000],
    ['30m', 1_800_000],
    ['45s', 45_000],
    ['3650d', 315_360_000_000],
  ])('is read from --keep-closed %s', (text, keepClosedMs) => {
    expect(read(`--keep-closed ${text}`)).toMatchObject({ kind: 'host', keepClosedMs });
  });

  it('is the default of the host without the flag', () => {
    expect(read('--port 0')).toMatchObject({ kind: 'host', keepClosedMs: undefined });
  });

  it.each(['7', '-1d', '1w', '7 d', 'd', '1e3d', '7D', 'off', '3651d', '9'.repeat(400) + 'd'])(
    'is refused as --keep-closed %s',
    (text) => {
      for (const words of [[`--keep-closed=${text}`], ['--keep-closed', text]]) {
        expect(readArguments(['host', ...words])).toEqual({
          kind: 'usage',
          sentence:
            '--keep-closed must be 0, or days, hours, minutes or seconds up to 3650d: 7d, 12h, 30m.',
        });
      }
    },
  );
});

describe('where the host listens', () => {
  it.each([
    ['--listen 127.0.0.1', '127.0.0.1', undefined],
    ['--listen 127.0.0.2:8000', '127.0.0.2', 8000],
    ['--listen localhost:0', '127.0.0.1', 0],
    ['--listen ::1', '::1', undefined],
    ['--listen [::1]:8000', '::1', 8000],
    ['--listen 0:0:0:0:0:0:0:1', '0:0:0:0:0:0:0:1', undefined],
    ['--listen 127.0.0.1 --port 8000', '127.0.0.1', 8000],
    ['--listen 127.0.0.1 --insecure', '127.0.0.1', undefined],
  ])('is loopback alone with %s', (line, address, port) => {
    expect(read(line)).toMatchObject({ kind: 'host', address, port, exposure: undefined });
  });

  it.each([
    [`--listen 192.0.2.1 ${tls}`, { address: '192.0.2.1', port: undefined }],
    [`--listen 0.0.0.0:443 ${tls} --port 0`, { address: '0.0.0.0', port: 443 }],
    [`--listen [::]:443 ${tls}`, { address: '::', port: 443 }],
    [`--listen 2001:db8::1 ${tls}`, { address: '2001:db8::1' }],
    [`--listen 127.0.0.1:443 ${tls}`, { address: '127.0.0.1', port: 443 }],
  ])('is elsewhere too with a certificate: %s', (line, exposure) => {
    expect(read(line)).toMatchObject({
      kind: 'host',
      address: undefined,
      exposure: { ...exposure, tls: { cert: 'c.pem', key: 'k.pem' } },
    });
  });

  it('is elsewhere in the clear only when that is said', () => {
    expect(read('--listen 0.0.0.0:80 --insecure')).toMatchObject({
      exposure: { address: '0.0.0.0', port: 80, tls: undefined },
    });
    for (const address of [
      '0.0.0.0',
      '192.0.2.1:80',
      '::',
      '[2001:db8::1]:80',
      '[::ffff:1.2.3.4]',
    ]) {
      expect(read(`--listen ${address}`)).toEqual({
        kind: 'usage',
        sentence: expect.stringMatching(/can be read by others: set --tls-cert FILE .*--insecure/),
      });
    }
  });

  it.each([
    '--listen example.com',
    '--listen 1.2.3',
    '--listen 127.0.0.1:70000',
    '--listen 127.0.0.1:',
    '--listen [127.0.0.1]:80',
    '--listen [::1',
    '--listen 127.0.0.1:80 --port 81',
    '--listen 127.0.0.1:80:81',
    '--listen 0.0.0.0 --tls-cert c.pem',
    '--listen 0.0.0.0 --tls-key k.pem --insecure',
    `--listen 0.0.0.0 ${tls} --insecure`,
    '--insecure',
    tls,
    '--listen 127.0.0.1 --listen ::1',
    '--host-name a..b',
    '--host-name a,',
    '--host-name a/b',
    '--host-name *.example.com',
  ])('is refused where it says nothing clear: %s', (line) => {
    expect(read(line)).toMatchObject({ kind: 'usage' });
  });

  it('has names beside its addresses', () => {
    expect(read('--host-name Deck.Example.com,192.0.2.1,2001:db8::1')).toMatchObject({
      names: ['deck.example.com', '192.0.2.1', '[2001:db8::1]'],
    });
  });
});

it('the help names every flag that is taken, each of its files, signals and exit codes', () => {
  const flags = [
    'port 1',
    'listen ::1',
    'data /d',
    'leased',
    'host-name a',
    'runtime auto',
    'engine tcp://m1:2375 --runtime swarm',
    'registry r:5000/hd --runtime swarm',
    'overcommit 2 --runtime swarm',
    'take-over --runtime swarm',
    'sandbox',
    'trust-wallets',
    'keep-closed 12h',
    'min-amount 1',
    'max-deployments 1',
    'max-services 1',
    'max-instances 1',
    'max-cpu 1',
    'max-memory 1Gi',
    'max-storage 1Gi',
    'min-free 1Gi',
    'max-logs 1Gi',
  ];
  for (const flag of flags) {
    expect(read(`--${flag}`)).toMatchObject({ kind: 'host' });
  }
  const named = [
    ...flags,
    'tls-cert',
    'tls-key',
    'insecure',
    'wallet',
    'balance',
    'any-address',
    'volumes',
  ];
  const verbs = [[], ['token'], ['wallet'], ['backup'], ['restore']];
  const help = verbs.map((verb) => helpOf(['host', ...verb], commandTable, 100)).join('');
  for (const flag of named) expect(help).toContain(`--${flag.split(' ')[0]}`);
  const files = ['host.db', 'deployments/', 'local-token', 'host.sock', 'host.log'];
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  for (const word of [...files, ...signals, '\n  0  ', '\n  1  ', '\n  2  ']) {
    expect(help).toContain(word);
  }
  for (const flag of help.match(/--[a-z-]+/g) ?? []) {
    const known = named.map((each) => `--${each.split(' ')[0]}`);
    expect([...known, '--help', '--version']).toContain(flag);
  }
  expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

it('runs services as it was told, and only in ways that there are', () => {
  for (const runtime of ['process', 'container', 'auto', 'swarm']) {
    expect(read(`--runtime ${runtime}`)).toMatchObject({ kind: 'host', runtime });
  }
  expect(read('--runtime docker')).toMatchObject({ kind: 'usage' });
  expect(read('--sandbox')).toMatchObject({ kind: 'host', sandbox: 'require' });
  expect(read('--sandbox --trust-wallets')).toMatchObject({
    sandbox: 'require',
    trustWallets: true,
  });
  for (const sandbox of ['auto', 'require', 'off']) {
    expect(read(`--sandbox ${sandbox}`)).toMatchObject({ kind: 'host', sandbox });
    expect(read(`--sandbox=${sandbox}`)).toMatchObject({ kind: 'host', sandbox });
  }
  expect(read('--sandbox on')).toMatchObject({ kind: 'usage' });
  expect(read('--sandbox --runtime container')).toMatchObject({ kind: 'usage' });
});

it('takes the flags of an engine and of a swarm only where they have an effect', () => {
  expect(
    read('--runtime swarm --engine tcp://m1:2376 --registry r.example:5000/a/b --overcommit 1.5'),
  ).toMatchObject({ engine: 'tcp://m1:2376', registry: 'r.example:5000/a/b', overcommit: 1.5 });
  expect(read('--runtime swarm --take-over')).toMatchObject({ kind: 'host', takeOver: true });
  expect(read('--runtime auto --engine unix:///run/e.sock')).toMatchObject({ kind: 'host' });
  for (const wrong of [
    '--engine tcp://m1:2376',
    '--runtime container --registry r/hd',
    '--overcommit 2',
    '--take-over',
    '--runtime swarm --registry r',
    '--runtime swarm --registry https://r/hd',
    '--runtime swarm --overcommit 0',
    '--runtime swarm --overcommit x',
    '--runtime swarm --sandbox',
  ]) {
    expect(read(wrong)).toMatchObject({ kind: 'usage' });
  }
});

describe('limits of callers', () => {
  it.each([
    ['--min-amount 0', { minAmount: 0n }],
    ['--min-amount 2.5', { minAmount: 2_500_000_000_000n }],
    ['--min-amount 1e-12', { minAmount: 1n }],
    ['--max-deployments 5', { deploymentsPerWallet: 5 }],
    ['--max-services 6 --max-instances 7', { servicesPerDeployment: 6, instancesPerDeployment: 7 }],
    ['--max-cpu 500m', { cpuPerWallet: 0.5 }],
    ['--max-memory 8Gi', { memoryPerWallet: 8 * 2 ** 30 }],
    ['--max-storage 1T', { storagePerWallet: 1e12 }],
    ['--max-logs 1Gi', { maxAllLogBytes: 2 ** 30 }],
    ['--min-free 8Mi', { minFreeBytes: 8 * 2 ** 20 }],
  ])('are flags: %s', (line, limits) => {
    expect(read(line)).toMatchObject({ kind: 'host', limits });
  });

  it('have their defaults without a flag', () => {
    expect(read('--port 1')).toMatchObject({ limits: {} });
    const host = read('--port 1');
    expect(host.kind === 'host' && host.limits).toEqual({});
  });

  it.each([
    ['--min-amount cheap', '--min-amount must be 0 or more'],
    ['--min-amount=-1', '--min-amount must be 0 or more'],
    ['--min-amount 1e-13', 'at most 12 decimals'],
    ['--max-deployments 0', '--max-deployments must be a whole number from 1 to 100000.'],
    ['--max-services many', '--max-services must be a whole number'],
    ['--max-instances 1.5', '--max-instances must be a whole number'],
    ['--max-cpu some', '--max-cpu must be a number of processors, like 4 or 500m.'],
    ['--max-memory 0', '--max-memory must be a size, like 512Mi or 8Gi.'],
    ['--max-storage big', '--max-storage must be a size'],
    ['--max-logs much', '--max-logs must be a size'],
    ['--min-free 8M', '--min-free must be a size of at least 8Mi, like 256Mi or 2Gi.'],
    ['--min-free some', '--min-free must be a size of at least 8Mi'],
  ])('are refused with a reason: %s', (line, sentence) => {
    expect(read(line)).toEqual({ kind: 'usage', sentence: expect.stringContaining(sentence) });
  });
});
