/** The controlling terminal of the process, which is there whatever stdin and stdout are. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { AskingTerminal } from './confirm.ts';

const device = '/dev/tty';

/** Opens the controlling terminal; undefined for a process without one. */
export function openControllingTerminal(): AskingTerminal | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(device, 'r+');
  } catch {
    return undefined;
  }
  let input: ReadStream | undefined;
  return {
    write(text) {
      writeSync(descriptor, text);
    },
    readLine(signal) {
      // A stream, since a thread that reads the terminal would keep the process from ending.
      const stream = (input ??= new ReadStream(descriptor));
      return new Promise((resolve) => {
        let typed = '';
        const done = (line: string | undefined): void => {
          signal.removeEventListener('abort', onAbort);
          stream.removeAllListeners();
          resolve(line);
        };
        const onAbort = (): void => done(undefined);
        if (signal.aborted) return done(undefined);
        signal.addEventListener('abort', onAbort);
        stream.on('data', (chunk: Buffer) => {
          typed += chunk.toString();
          const end = typed.indexOf('\n');
          if (end !== -1) done(typed.slice(0, end));
        });
        stream.on('end', () => done(undefined));
        stream.on('error', () => done(undefined));
        return undefined;
      });
    },
    close() {
      if (input === undefined) closeSync(descriptor);
      else input.destroy();
    },
  };
}
