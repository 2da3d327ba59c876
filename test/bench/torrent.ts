import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Lines that the log begins with. */
export const linesBefore = 100;

/** A service whose one log is written when it is told, in a process of its own. */
export interface Torrent extends AsyncDisposable {
  readonly baseUrl: string;
  /**
   * Writes lines; `rate` in lines a second, without it as fast as the one reader of the stream takes
   * them. @returns the number of the last line, when the socket has taken it.
   */
  write(count: number, rate?: number): Promise<number>;
}

/** @param length bytes of a line's text. */
export async function startTorrent(length: number): Promise<Torrent> {
  const script = path.resolve(import.meta.dirname, 'torrent-server.ts');
  const child = spawn(process.execPath, [script, String(length), String(linesBefore)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await said.next()).value);
  const baseUrl = await line();
  return {
    baseUrl,
    async write(count, rate = 0) {
      child.stdin.write(`${count} ${rate}\n`);
      return Number(await line());
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
