import { expect, it } from 'vitest';
import { deploymentPreview } from '../../../source/view/deployments/preview.ts';
import { spansText } from '../../../source/view/text/fit.ts';

const now = Date.parse('2026-11-22T11:41:12Z');
const created = new Date(2026, 10, 22, 11, 38).getTime();
const payments = {
  id: 'd1c81a03-a7c7-4b52-9e1f-0c6d5b4e37-3',
  name: 'payments',
  owner: '0x9f3c5d2e81700a6f39c5d2e8170b4d60f93a55a1',
  createdAt: new Date(created).toISOString(),
  pricePerHour: '0.12',
  services: [
    {
      name: 'api',
      state: 'restarting',
      startedAt: '2026-11-22T11:40:57Z',
      restarts: 7,
      exitCode: 1,
      instances: 1,
      running: 0,
    },
    {
      name: 'web',
      state: 'active',
      startedAt: '2026-11-22T11:39:12Z',
      restarts: 1,
      exitCode: null,
      instances: 1,
      running: 1,
      exposes: ['443 > 8080'],
    },
  ],
};

const texts = (value: object, caller?: string) =>
  deploymentPreview(
    { value: { id: 'a', services: [], ...value }, unknown: {} },
    { now, caller, width: 37, colours: undefined },
  ).map(({ line }) => spansText(line).trimEnd());

it('is short enough for the column beside a log of 100 columns', () => {
  const rows = texts(payments, payments.owner.toUpperCase());
  expect(rows).toEqual([
    'id       d1c81a03-a7c7..b4e37-3',
    'owner    0x9f..a1 (you)',
    expect.stringMatching(/^created {2}2026-11-22 11:38, \d+[dhms] ago$/),
    'cost     0.12/h',
    '',
    'api      restarting 0/1   7 restarts',
    '         exit 1, started 15s ago',
    'web      active     1/1   1 restart',
    '         up 2m, port 443 > 8080',
  ]);
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(37);
});

it('leaves out what the service does not tell', () => {
  expect(texts({ id: 'short', services: [{ name: 'web' }] })).toEqual([
    'id       short',
    '',
    'web      -',
  ]);
  expect(texts({ id: 'short', owner: '0xother0000000011' })).toEqual([
    'id       short',
    'owner    0xot..11',
  ]);
});
