import type { LogStream, LogStreamHandlers } from '../client.ts';

/** A stream that is opened as soon as there is a way to; what it is told before that holds. */
export function lazyStream(
  way: Promise<(handlers: LogStreamHandlers) => LogStream>,
  handlers: LogStreamHandlers,
): LogStream {
  let stream: LogStream | undefined;
  let state: 'running' | 'paused' | 'closed' = 'running';

  async function openLater(): Promise<void> {
    const open = await way;
    if (state === 'closed') return;
    stream = open(handlers);
    if (state === 'paused') stream.pause();
  }

  void openLater();
  return {
    pause() {
      if (state === 'running') state = 'paused';
      stream?.pause();
    },
    resume() {
      if (state === 'paused') state = 'running';
      stream?.resume();
    },
    close() {
      state = 'closed';
      stream?.close();
    },
  };
}
