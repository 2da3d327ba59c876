import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { logStreamPath } from '../../source/contract/routes.ts';
import { deploy, errorIn, fieldOf, readDeployment, readLogs } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { idle, nodeService, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const service = sharedHost();
const owner = service.as('0xowner');

const unusualSdl = `version: "2.1"
shape: round
include: [other.yaml]
services:
  web:
    command: [sleep, "120"]
    healthcheck: { path: / }
    params: { storage: { data: { mount: /data, path: data }, other: { mount: /b, volume: it } } }
profiles:
  compute:
    small:
      resources:
        cpu: { units: lots }
        gpu: { units: 1 }
        storage: [{ name: data, size: 1Gi }]
  placement: { here: { pricing: { small: { amount: 0 } } } }
deployment:
  web: { here: { profile: small, prefer: ssd } }
`;

const warnings = [
  { line: 2, column: 1, message: 'Unknown key shape: it has no effect.' },
  { line: 3, column: 1, message: 'include has no effect on this host.' },
  { line: 7, column: 5, message: 'Unknown key healthcheck: it has no effect.' },
  { line: 8, column: 48, message: 'Unknown key path: it has no effect.' },
  { line: 8, column: 82, message: 'params.storage.volume has no effect on this host.' },
  {
    line: 13,
    column: 23,
    message: 'units must be a number like 2, 0.5 or 100m, not lots, so there is no limit.',
  },
  { line: 14, column: 9, message: 'gpu has no effect on this host.' },
  { line: 18, column: 34, message: 'Unknown key prefer: it has no effect.' },
];

describe('parts of a definition without effect', () => {
  it('are returned as warnings with positions, and the deployment runs', async () => {
    const created = await deploy(owner, unusualSdl);
    expect(created.warnings).toEqual(warnings);
    await waitFor(async () => {
      const read = await readDeployment(owner, created.id);
      expect(read).toMatchObject({ state: 'active', warnings });
    });
    const listed = fieldOf(await owner.call('listDeployments'), 'deployments');
    expect(listed).toEqual([expect.objectContaining({ id: created.id, warnings })]);
    await service.again();
    expect((await readDeployment(owner, created.id)).warnings).toEqual(warnings);
    await owner.call('closeDeployment', { id: created.id });
    expect((await readDeployment(owner, created.id)).warnings).toEqual(warnings);
  });

  it('are absent in an ordinary definition', async () => {
    const { id, warnings } = await deploy(owner, sdlOf({ web: { ...idle, port: 8080 } }));
    expect(warnings).toEqual([]);
    await owner.call('closeDeployment', { id });
  });

  it('are not part of a refusal, which lists mistakes only', async () => {
    const sdl = unusualSdl.replace('command: [', 'command: [[a], ');
    const { status, details } = errorIn(await owner.call('createDeployment', { json: { sdl } }));
    expect(status).toBe(422);
    expect(details).toEqual([expect.objectContaining({ line: 6, column: 15 })]);
  });

  it('cause about a hundred warnings at most', async () => {
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}: 1\n`).join('');
    const { id, warnings } = await deploy(owner, keys + unusualSdl);
    expect(warnings.length).toBeLessThanOrEqual(110);
    await owner.call('closeDeployment', { id });
  });
});

describe('several instances of a service', () => {
  const counting = nodeService(
    'console.log("I am", process.env.HOSTDECK_INSTANCE); setInterval(() => {}, 1e3)',
  );

  it('are identified in fetched and streamed lines', async () => {
    const { id } = await deploy(
      owner,
      sdlOf({ web: { ...counting, count: 3 }, alone: { ...counting } }),
    );
    await waitFor(async () => {
      expect(await readLogs(owner, id, { search: 'I am' })).toHaveLength(4);
    });
    const frames: Record<string, unknown>[] = [];
    const url = new URL(`${logStreamPath}?deploymentId=${id}`, service.host.baseUrl);
    const socket = new WebSocket(url.href.replace('http', 'ws'), {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    socket.on('message', (data) => frames.push(JSON.parse((data as Buffer).toString())));
    await new Promise((resolve) => socket.once('open', resolve));
    await owner.call('restartDeployment', { id });
    await waitFor(() => {
      expect(frames.filter(({ logLine }) => String(logLine).startsWith('I am'))).toHaveLength(4);
    });
    socket.close();
    const lines = await readLogs(owner, id);
    const fetched = new Map(lines.map((line) => [line.id, line]));
    for (const frame of frames) {
      expect(fetched.get(Number(frame['id']))).toEqual(frame);
      expect(Object.keys(frame).slice(0, 7)).toEqual([
        'type',
        'id',
        'deploymentId',
        'serviceName',
        'timestamp',
        'logLine',
        'stream',
      ]);
    }
    const own = lines.filter(({ logLine }) => logLine.startsWith('I am'));
    const ofWeb = own.filter(({ serviceName }) => serviceName === 'web');
    expect(new Set(ofWeb.map(({ instance }) => instance))).toEqual(new Set([1, 2, 3]));
    expect(ofWeb.map(({ logLine }) => logLine)).toEqual(
      ofWeb.map(({ instance }) => `I am ${instance}`),
    );
    const ofAlone = lines.filter(({ serviceName }) => serviceName === 'alone');
    expect(ofAlone.map(({ logLine }) => logLine)).toContain('I am 1');
    expect(ofAlone.some((line) => 'instance' in line)).toBe(false);
    const started = lines.filter(({ logLine }) => logLine === 'restarted');
    expect(started.map(({ instance }) => String(instance)).toSorted()).toEqual([
      '1',
      '2',
      '3',
      'undefined',
    ]);
    await owner.call('closeDeployment', { id });
  });

  it('are selected by the name of their service', async () => {
    const { id } = await deploy(owner, sdlOf({ web: { ...counting, count: 2 }, alone: counting }));
    await waitFor(async () => {
      const lines = await readLogs(owner, id, { service: 'web', search: 'I am' });
      expect(lines.map(({ instance }) => String(instance)).toSorted()).toEqual(['1', '2']);
    });
    await owner.call('closeDeployment', { id });
  });

  it('are refused beyond the limit of the host', async () => {
    const sdl = sdlOf({ web: { ...counting, count: 30 }, api: { ...counting, count: 21 } });
    expect(errorIn(await owner.call('createDeployment', { json: { sdl } }))).toMatchObject({
      status: 422,
      details: [{ field: 'deployment.api', expected: 'at most 50 instances', line: 1 }],
    });
  });
});
