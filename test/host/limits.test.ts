import { describe, expect, it } from 'vitest';
import { deploy, errorIn, fieldOf, readDeployment } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { type Caller, idle, sdlOf, type SdlService } from './support/temporary-host.ts';

const free: SdlService = { ...idle, amount: 0 };

async function refusal(caller: Caller, sdl: string) {
  return errorIn(await caller.call('createDeployment', { json: { sdl } }));
}

/** Returns an SDL with these resources in the profile of each service. */
function withResources(resources: unknown, services: Readonly<Record<string, SdlService>>): string {
  const sdl = JSON.parse(sdlOf(services)) as {
    profiles: { compute: Record<string, unknown> };
  };
  for (const name of Object.keys(services)) sdl.profiles.compute[name] = { resources };
  return JSON.stringify(sdl);
}

describe('the least price of an instance', () => {
  const service = sharedHost({ limits: { minAmount: 10n ** 12n } });

  it('applies to each placement of another wallet, at the line of its amount', async () => {
    const services = { web: { ...idle, amount: 2 }, api: free, dear: { ...idle, amount: '0.999' } };
    const sdl = JSON.stringify(JSON.parse(sdlOf(services)), undefined, 2);
    const line = (amount: string) =>
      sdl.split('\n').findIndex((each) => each.includes(`"amount": ${amount}`)) + 1;
    expect(await refusal(service.as('0xother'), sdl)).toMatchObject({
      status: 422,
      message:
        `SDL line ${line('0')}, column 13: Service api has an amount of 0, and this host asks for at ` +
        'least 1 for an instance (--min-amount). Raise the amount. 1 more, see details.',
      details: [
        { field: 'pricing.api', expected: 'an amount of at least 1', line: line('0') },
        { field: 'pricing.dear', expected: 'an amount of at least 1', line: line('"0.999"') },
      ],
    });
    const listed = await service.as('0xother').call('listDeployments');
    expect(fieldOf(listed, 'deployments')).toEqual([]);
  });

  it('is reached by an equal one, and the own wallet needs none', async () => {
    const paid = await deploy(service.as('0xother'), sdlOf({ web: { ...idle, amount: 1 } }));
    const own = await deploy(service.as(service.host.wallet), sdlOf({ web: free }));
    expect([paid.state, own.state]).not.toContain('suspended');
  });
});

describe('a deployment', () => {
  const service = sharedHost({ limits: { servicesPerDeployment: 2, instancesPerDeployment: 3 } });

  it('has a limit of services', async () => {
    const sdl = sdlOf({ one: idle, two: idle, three: idle });
    expect(await refusal(service.as('0xowner'), sdl)).toMatchObject({
      status: 422,
      message: expect.stringContaining(
        'The definition has 3 services, and a deployment on this host may have 2 (--max-services).',
      ),
      details: [{ field: 'services.three', expected: 'at most 2 services', line: 1 }],
    });
  });

  it('has a limit of instances', async () => {
    const sdl = sdlOf({ one: { ...idle, count: 2 }, two: { ...idle, count: 2 } });
    expect(await refusal(service.as('0xowner'), sdl)).toMatchObject({
      status: 422,
      message: expect.stringContaining(
        'The definition has 4 instances, and a deployment on this host may have 3 (--max-instances).',
      ),
      details: [{ field: 'deployment.two', expected: 'at most 3 instances', line: 1 }],
    });
    const whole = sdlOf({ one: { ...idle, count: 2 }, two: idle });
    expect((await deploy(service.as('0xowner'), whole)).services).toHaveLength(2);
  });
});

describe('a wallet', () => {
  const mebibyte = 2 ** 20;
  const service = sharedHost({
    limits: {
      deploymentsPerWallet: 4,
      cpuPerWallet: 1,
      memoryPerWallet: 256 * mebibyte,
      storagePerWallet: 1024 * mebibyte,
    },
  });
  const small = withResources({ cpu: '100m', memory: '32Mi', storage: '64Mi' }, { web: idle });

  it('has a limit of open deployments, also of ones that are created at the same time', async () => {
    const owner = service.as('0xmany');
    const creations = Array.from({ length: 7 }, () =>
      owner.call('createDeployment', { json: { sdl: small } }),
    );
    const answers = await Promise.all(creations);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(4).fill(answers[0]?.status ?? 0),
      409,
      409,
      409,
    ]);
    const sentence =
      'This wallet has 4 open deployments, and a wallet on this host may have 4 ' +
      '(--max-deployments). Close one and try again.';
    expect(await refusal(owner, small)).toMatchObject({ status: 409, message: sentence });
    const listed = fieldOf(await owner.call('listDeployments'), 'deployments');
    const [first] = listed as readonly { readonly id: string }[];
    await owner.call('closeDeployment', { id: first?.id ?? '' });
    const { id } = await deploy(owner, small);
    expect((await readDeployment(owner, id)).id).toBe(id);
    // Another wallet has its own limit.
    await deploy(service.as('0xfew'), small);
  });

  it.each([
    [
      { cpu: 0.4, memory: '1Mi', storage: '1Mi' },
      'The definition asks for 0.8 of CPU, the other open deployments of this wallet for 0.8, and a ' +
        'wallet on this host may have 1 in sum (--max-cpu). Ask for less, or close one.',
    ],
    [
      { cpu: 0.1, memory: '65Mi', storage: '1Mi' },
      'The definition asks for 130 MiB of memory, the other open deployments of this wallet for 130 ' +
        'MiB, and a wallet on this host may have 256 MiB in sum (--max-memory). Ask for less, or close one.',
    ],
    [
      { cpu: 0.1, memory: '1Mi', storage: [{ size: '100Mi' }, { name: 'data', size: '200Mi' }] },
      'The definition asks for 600 MiB of storage, the other open deployments of this wallet for 600 ' +
        'MiB, and a wallet on this host may have 1024 MiB in sum (--max-storage). Ask for less, or close one.',
    ],
  ])('has a limit of %j in sum', async (resources, sentence) => {
    const owner = service.as(`0x${JSON.stringify(resources).replaceAll(/\W/g, '')}`);
    const sdl = withResources(resources, { web: { ...idle, count: 2 } });
    await deploy(owner, sdl);
    expect(await refusal(owner, sdl)).toMatchObject({ status: 409, message: sentence });
  });

  it('with a limit has no service without one', async () => {
    const sdl = withResources({ cpu: 0.1, storage: '1Mi' }, { web: idle });
    expect(await refusal(service.as('0xvague'), sdl)).toMatchObject({
      status: 409,
      message:
        'Service web sets no limit of its memory, and this host limits that of a wallet ' +
        '(--max-memory). Set it in the resources of its compute profile.',
    });
  });
});
