import { expect, it } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import { defaultHostLimits } from '../../../source/host/server/limits.ts';
import { WalletRoom } from '../../../source/host/supervisor/creation.ts';

const owner = '0x1';

const service: ServiceDefinition = {
  name: 'web',
  command: [],
  args: [],
  env: {},
  expose: [],
  count: 1,
  dependsOn: [],
  position: { line: 1, column: 1 },
};

const makeRoom = (cpuPerWallet: number) =>
  new WalletRoom(
    { listOpenOf: () => [], readSdl: () => '' },
    { ...defaultHostLimits, cpuPerWallet },
  );

const definitionOf = (units: string) => ({
  owner,
  services: [{ ...service }],
  sdl: `profiles:
  compute:
    small: { resources: { cpu: { units: ${units} } } }
deployment:
  web: { here: { profile: small, count: 1 } }
`,
});

it.each([
  [0.3, ['100m', '100m', '100m']],
  [0.7, ['0.1', '0.2', '0.4']],
  [1, Array.from({ length: 10 }, () => '0.1')],
])('fills a limit of %d processors to the last thousandth', (limit, all) => {
  const room = makeRoom(limit);
  for (const units of all) room.take(definitionOf(units));
  expect(() => room.take(definitionOf('1m'))).toThrow(
    `0.001 of CPU, the other open deployments of this wallet for ${limit}, and`,
  );
});
