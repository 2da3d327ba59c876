import type { ServiceError } from '../http/errors.ts';
import type { LogStream, LogStreamHandlers } from './log-stream.ts';

/**
 * Returns a stream that opens once `opening` resolves and then applies an earlier pause or close. It
 * closes where `opening` resolves with an error.
 */
export function createLazyStream(
  opening: Promise<((handlers: LogStreamHandlers) => LogStream) | ServiceError>,
  handlers: LogStreamHandlers,
): LogStream {
  let stream: LogStream | undefined;
  let state: 'running' | 'paused' | 'closed' = 'running';

  async function openLater(): Promise<void> {
    const open = await opening;
    if (state === 'closed') return;
    if (typeof open !== 'function') return handlers.onClose(open);
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
