import { expect, test } from 'vitest';
import type { LogStream, LogStreamHandlers } from '../../../source/client/stream/log-stream.ts';
import { createLazyStream } from '../../../source/client/client.ts';

const handlers: LogStreamHandlers = {
  onOpen() {},
  onFrames() {},
  onClose() {},
};

/** Returns a stream factory that resolves with `load`, and the calls on its streams. */
function slowFactory() {
  const calls: string[] = [];
  const factory = Promise.withResolvers<(handlers: LogStreamHandlers) => LogStream>();
  const open = (): LogStream => {
    calls.push('open');
    return {
      pause: () => void calls.push('pause'),
      resume: () => void calls.push('resume'),
      close: () => void calls.push('close'),
    };
  };
  const load = async (): Promise<void> => {
    factory.resolve(open);
    await factory.promise;
    await Promise.resolve();
  };
  return { calls, factory: factory.promise, load };
}

test('a stream opens when its factory is loaded, paused if it was paused before', async () => {
  const { calls, factory, load } = slowFactory();
  const stream = createLazyStream(factory, handlers);
  stream.pause();
  expect(calls).toEqual([]);
  await load();
  stream.resume();
  stream.close();
  expect(calls).toEqual(['open', 'pause', 'resume', 'close']);
});

test('a stream that was paused and resumed before it opens runs', async () => {
  const { calls, factory, load } = slowFactory();
  const stream = createLazyStream(factory, handlers);
  stream.pause();
  stream.resume();
  await load();
  expect(calls).toEqual(['open']);
});

test('a stream that was closed before it opens is never opened', async () => {
  const { calls, factory, load } = slowFactory();
  const stream = createLazyStream(factory, handlers);
  stream.close();
  stream.resume();
  await load();
  expect(calls).toEqual([]);
});
