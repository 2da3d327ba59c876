import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A service that floods its log, in a process of its own. */
export interface FloodProcess extends AsyncDisposable {
  readonly baseUrl: string;
  /** Lines written so far. */
  written(): Promise<number>;
}

/** @param rate lines a second. */
export async function startFloodProcess(rate: number): Promise<FloodProcess> {
  const script = path.resolve(import.meta.dirname, 'flood-server.ts');
  const child = spawn(process.execPath, [script, String(rate)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await said.next()).value);
  const baseUrl = await line();
  return {
    baseUrl,
    async written() {
      child.kill('SIGUSR2');
      return Number((await line()).split(' ')[0]);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
