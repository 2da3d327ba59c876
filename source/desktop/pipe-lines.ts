import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '../system/child-environment.ts';
import type { PipeEnd } from '../view/command/action.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs a command that a person typed with their shell, passes texts to it, and leaves what it says on the
 * terminal until Enter. `^C` ends the command. A command that stops reading, such as `head`, is passed
 * no more.
 */
export async function pipeLines(
  command: string,
  texts: AsyncIterable<string>,
  env: Environment = process.env,
): Promise<PipeEnd> {
  const shell = env['SHELL'] || '/bin/sh';
  const child = spawn(shell, ['-c', command], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: childEnvironment(env),
  });
  const ended = new Promise<PipeEnd>((resolve) => {
    child.on('error', (error) => resolve({ kind: 'failed', reason: error.message }));
    child.on('exit', (code, signal) => resolve({ kind: 'ended', status: code ?? signal ?? 0 }));
  });
  let isReading = true;
  const stop = (): void => {
    isReading = false;
  };
  child.stdin.on('error', stop);
  child.stdin.on('close', stop);
  void ended.then(stop);
  for await (const text of texts) {
    if (!isReading) break;
    // A command that ends without reading on never drains.
    if (!child.stdin.write(text))
      await Promise.race([once(child.stdin, 'drain').catch(stop), ended]);
  }
  child.stdin.end();
  const end = await ended;
  await untilEnter();
  return end;
}

/** Waits for Enter, in a program of its own, so that further input is left for the console. */
function untilEnter(): Promise<void> {
  const script = String.raw`printf '\nPress Enter to continue'; read -r line`;
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', script], { stdio: 'inherit', env: {} });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
}
