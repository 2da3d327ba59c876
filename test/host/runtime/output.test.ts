import { outputText } from '../../../source/host/logs/run.ts';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { RunOutput } from '../../../source/host/runtime/output.ts';

const streams = () => ({ stdout: new PassThrough(), stderr: new PassThrough() });

it('yields complete lines, and a last one without a newline', async () => {
  const { stdout, stderr } = streams();
  const lines: string[] = [];
  const output = new RunOutput({ stdout, stderr }, (stream, received) => {
    lines.push(...received.map((line) => `${stream} ${outputText(line)}`));
    return undefined;
  });
  output.begin();
  stdout.end('one\ntwo');
  stderr.end('three\n');
  await output.finish(10_000);
  expect(lines.toSorted()).toEqual(['stderr three', 'stdout one', 'stdout two']);
});

it('pauses while the receiver has no room, without a timeout', async () => {
  const { stdout, stderr } = streams();
  const lines: string[] = [];
  const rooms: PromiseWithResolvers<void>[] = [];
  const output = new RunOutput({ stdout, stderr }, (_stream, received) => {
    lines.push(...received.map(outputText));
    const room = Promise.withResolvers<void>();
    rooms.push(room);
    return room.promise;
  });
  output.begin();
  stderr.end();
  const pieces = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
  for (const piece of pieces) stdout.write(piece);
  stdout.end();
  // The timeout is 0: only the pauses keep the streams open.
  const finished = output.finish(0);
  let settled = 0;
  while (settled < pieces.length) {
    await new Promise(setImmediate);
    expect(rooms.length).toBeLessThanOrEqual(settled + 1);
    if (rooms.length === settled) continue;
    rooms[settled]?.resolve();
    settled += 1;
  }
  await finished;
  expect(lines).toEqual(pieces.map((piece) => piece.trimEnd()));
});

it('closes streams that another process keeps open', async () => {
  const { stdout, stderr } = streams();
  const lines: string[] = [];
  const output = new RunOutput({ stdout, stderr }, (_stream, received) => {
    lines.push(...received.map(outputText));
    return undefined;
  });
  output.begin();
  stdout.write('said\nhalf');
  await output.finish(1);
  expect(lines).toEqual(['said', 'half']);
  expect([stdout.destroyed, stderr.destroyed]).toEqual([true, true]);
});

it('buffers lines until it begins, then yields them in order', async () => {
  const { stdout, stderr } = streams();
  const lines: string[] = [];
  const output = new RunOutput({ stdout, stderr }, (_stream, received) => {
    lines.push(...received.map(outputText));
    return undefined;
  });
  stdout.write('one\n');
  stdout.end('two\nthree');
  stderr.end();
  await new Promise(setImmediate);
  expect(lines).toEqual([]);
  output.begin();
  await output.finish(10_000);
  expect(lines).toEqual(['one', 'two', 'three']);
});
