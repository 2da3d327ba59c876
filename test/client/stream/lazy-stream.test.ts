import { expect, test } from 'vitest';
import type { LogStream, LogStreamHandlers } from '../../../source/client/client.ts';
import { lazyStream } from '../../../source/client/stream/lazy-stream.ts';

const handlers: LogStreamHandlers = { onOpen() {}, onFrames() {}, onOther() {}, onClose() {} };

/** A way that is there once `arrive` is called, and what streams opened on it were told. */
function slowWay() {
  const told: string[] = [];
  const way = Promise.withResolvers<(handlers: LogStreamHandlers) => LogStream>();
  const open = (): LogStream => {
    told.push('open');
    return {
      pause: () => void told.push('pause'),
      resume: () => void told.push('resume'),
      close: () => void told.push('close'),
    };
  };
  const arrive = async (): Promise<void> => {
    way.resolve(open);
    await way.promise;
    await Promise.resolve();
  };
  return { told, way: way.promise, arrive };
}

test('a stream is opened when the way to it is there, paused where it was', async () => {
  const { told, way, arrive } = slowWay();
  const stream = lazyStream(way, handlers);
  stream.pause();
  expect(told).toEqual([]);
  await arrive();
  stream.resume();
  stream.close();
  expect(told).toEqual(['open', 'pause', 'resume', 'close']);
});

test('a stream that was paused and resumed meanwhile runs', async () => {
  const { told, way, arrive } = slowWay();
  const stream = lazyStream(way, handlers);
  stream.pause();
  stream.resume();
  await arrive();
  expect(told).toEqual(['open']);
});

test('a stream that was closed meanwhile is never opened', async () => {
  const { told, way, arrive } = slowWay();
  const stream = lazyStream(way, handlers);
  stream.close();
  stream.resume();
  await arrive();
  expect(told).toEqual([]);
});
