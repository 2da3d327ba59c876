import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputText } from '../../../source/host/logs/run.ts';
import { PullProgress, withTag } from '../../../source/host/runtime/container-image.ts';
import { containerName, containerOptions } from '../../../source/host/runtime/container-options.ts';
import { maxProcesses } from '../../../source/host/runtime/runtime.ts';
import { Demultiplexer, followOutput } from '../../../source/host/runtime/container-run.ts';

type Stream = 'stdout' | 'stderr';

function frame(stream: Stream, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream === 'stderr' ? 2 : 1;
  header.writeUInt32BE(data.length, 4);
  return Buffer.concat([header, data]);
}

const frames = fc.array(
  fc.record({
    stream: fc.constantFrom<Stream>('stdout', 'stderr'),
    data: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 8 },
);

describe('the output of a container', () => {
  it('is demultiplexed by stream in order, for chunks of any size', () => {
    fc.assert(
      fc.property(
        frames,
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (all, cuts) => {
          const whole = Buffer.concat(all.map(({ stream, data }) => frame(stream, data)));
          const demultiplexer = new Demultiplexer();
          const received: { stream: Stream; text: string }[] = [];
          let at = 0;
          for (let turn = 0; at < whole.length; turn += 1) {
            const end = at + (cuts[turn % cuts.length] ?? 1);
            for (const { stream, data } of demultiplexer.push(whole.subarray(at, end))) {
              const last = received.at(-1);
              const text = data.toString('latin1');
              if (last?.stream === stream) last.text += text;
              else received.push({ stream, text });
            }
            at = end;
          }
          const sent: { stream: Stream; text: string }[] = [];
          for (const { stream, data } of all) {
            if (data.length === 0) continue;
            const last = sent.at(-1);
            if (last?.stream === stream) last.text += data.toString('latin1');
            else sent.push({ stream, text: data.toString('latin1') });
          }
          expect(received).toEqual(sent);
        },
      ),
    );
  });

  it('yields partial last lines when it breaks off', async () => {
    const output = new PassThrough();
    const lines: string[] = [];
    const followed = followOutput(output, (stream, some) => {
      lines.push(...some.map((line) => `${stream} ${outputText(line)}`));
      return undefined;
    });
    output.write(frame('stdout', Buffer.from('one\ntw')));
    output.write(frame('stderr', Buffer.from('bad')));
    output.write(frame('stdout', Buffer.from('o')).subarray(0, 5));
    setImmediate(() => output.destroy(new Error('gone')));
    await followed;
    expect(lines).toEqual(['stdout one', 'stdout tw', 'stderr bad']);
  });
});

describe('the output of a container with a slow receiver', () => {
  it('is paused until the receiver has room', async () => {
    const output = new PassThrough();
    const room = Promise.withResolvers<void>();
    const lines: string[] = [];
    const followed = followOutput(output, (_stream, some) => {
      lines.push(...some.map(outputText));
      return lines.length === 1 ? room.promise : undefined;
    });
    const paused = once(output, 'pause');
    output.write(frame('stdout', Buffer.from('one\n')));
    await paused;
    output.end(frame('stdout', Buffer.from('two\n')));
    expect(lines).toEqual(['one']);
    room.resolve();
    await followed;
    expect(lines).toEqual(['one', 'two']);
  });
});

describe('the progress of a pull', () => {
  it('is the sum over the layers', () => {
    const progress = new PullProgress();
    expect(progress.text()).toBe('');
    progress.update({ status: 'Pulling from library/x', id: 'latest' });
    const layer = (id: string, status: string, current: number) => {
      progress.update({ id, status, progressDetail: { current, total: 10_000_000 } });
    };
    layer('a', 'Downloading', 1_000_000);
    layer('b', 'Downloading', 9_000_000);
    expect(progress.text()).toBe('50 % of 20.0 MB');
    layer('a', 'Extracting', 1);
    expect(progress.text()).toBe('95 % of 20.0 MB');
    progress.update({ error: 'denied:\nno' });
    expect(progress.error).toBe('denied: no');
    progress.update({ errorDetail: { message: 'no such host' } });
    expect(progress.error).toBe('no such host');
  });
});

describe('the image with its tag', () => {
  it.each([
    ['busybox', 'busybox:latest'],
    ['busybox:1', 'busybox:1'],
    ['localhost:5000/a/b', 'localhost:5000/a/b:latest'],
    ['a/b@sha256:00', 'a/b@sha256:00'],
  ])('%s is %s', (image, name) => {
    expect(withTag(image)).toBe(name);
  });
});

describe('a container', () => {
  const request = {
    deployment: 'd-1',
    service: {
      name: 'web',
      image: 'busybox',
      command: [],
      args: [],
      env: { PORT: 'mine', HOSTDECK_RUN: 'mine' },
      expose: [
        { port: 80, as: 8080, proto: 'http', global: true, services: [] },
        { port: 53, proto: 'udp', global: true, services: [] },
      ],
      count: 1,
      dependsOn: [],
      position: { line: 1, column: 1 },
    },
    instance: 2,
    resources: {},
    tree: { folder: '/data/tree' },
    onLines: () => undefined,
    onEvent: () => undefined,
    cancelSignal: new AbortController().signal,
  } as const;
  const parts = { host: 'h', run: 'r'.repeat(36), hasFiles: false, published: [8080, 4000] };

  it('without a tree keeps the files, folder and command of its image', () => {
    const options = containerOptions(request, parts);
    expect(options).not.toHaveProperty('WorkingDir');
    expect(options).not.toHaveProperty('Entrypoint');
    expect(options).not.toHaveProperty('Cmd');
    expect(options.HostConfig).not.toHaveProperty('Binds');
    expect(options.HostConfig).not.toHaveProperty('Memory');
  });

  it('has a storage limit where its service and its engine have one', () => {
    const limited = { ...request, resources: { storage: 4096 } };
    expect(containerOptions(limited, parts).HostConfig.StorageOpt).toEqual({ size: '4096' });
    const refused = { ...parts, limitsStorage: false };
    expect(containerOptions(limited, refused).HostConfig).not.toHaveProperty('StorageOpt');
    expect(containerOptions(request, parts).HostConfig).not.toHaveProperty('StorageOpt');
  });

  it('is published on loopback only, and has its port and run in the environment', () => {
    const { HostConfig, Env, Labels } = containerOptions(request, parts);
    expect(HostConfig?.PortBindings).toEqual({
      '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '8080' }],
      '53/udp': [{ HostIp: '127.0.0.1', HostPort: '4000' }],
    });
    expect(Env).toEqual(['PORT=80', `HOSTDECK_RUN=${parts.run}`]);
    expect(containerName(request, parts.run)).toBe('hostdeck-d-1-web-2-rrrrrrrr');
    expect(Labels).toEqual({
      'hostdeck.host': 'h',
      'hostdeck.run': parts.run,
      'hostdeck.deployment': 'd-1',
      'hostdeck.service': 'web',
      'hostdeck.instance': '2',
    });
  });

  it("joins its deployment's network under the name of its service", () => {
    expect(containerOptions(request, parts)).not.toHaveProperty('NetworkingConfig');
    expect(containerOptions(request, parts).HostConfig).not.toHaveProperty('NetworkMode');
    const { HostConfig, NetworkingConfig } = containerOptions(request, { ...parts, network: 'n' });
    expect(HostConfig).toMatchObject({ NetworkMode: 'n' });
    expect(NetworkingConfig).toEqual({ EndpointsConfig: { n: { Aliases: ['web'] } } });
  });

  it('has few capabilities, gains none, and has a process limit', () => {
    const { HostConfig } = containerOptions(request, parts);
    expect(HostConfig).toMatchObject({
      CapDrop: ['ALL'],
      CapAdd: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'SETGID', 'SETUID', 'NET_BIND_SERVICE'],
      SecurityOpt: ['no-new-privileges'],
      PidsLimit: maxProcesses,
      LogConfig: { Type: 'none' },
    });
    const unlimited = containerOptions(request, { ...parts, limitsProcesses: false });
    expect(unlimited.HostConfig).not.toHaveProperty('PidsLimit');
  });

  it('with a command uses it as the entry point', () => {
    const service = { ...request.service, command: ['sh'], args: ['-c', 'x'] };
    expect(containerOptions({ ...request, service }, parts)).toMatchObject({
      Entrypoint: ['sh'],
      Cmd: ['-c', 'x'],
    });
  });
});
