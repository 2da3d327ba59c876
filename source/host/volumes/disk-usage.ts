import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../isolation/programs.ts';

/** Time after which a measurement ends without a result, as a volume may have any number of files. */
const timeoutMs = 20_000;

/**
 * Resolves with the bytes that a folder takes on the disk; undefined when they can't be measured in
 * time. `du` follows no link, counts a file with several names once, and can measure trees that
 * change meanwhile, are deeper than any path, or have unreadable parts, which do not count.
 */
export async function measureFolder(
  folder: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const program = findProgram('du', process.env['PATH']);
  if (program === undefined) return undefined;
  const output = await run(program, ['-skx', '--', folder], signal);
  const [, kibibytes] = /^(\d+)\s/.exec(output) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/**
 * Resolves with the output, also that of a program that failed in part; empty when the program was
 * killed because of the timeout or of `signal`.
 */
async function run(
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', env: {}, signal } as const;
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { stdout, killed } = error as { readonly stdout?: unknown; readonly killed?: unknown };
    const isKilled = killed === true || signal?.aborted === true;
    return typeof stdout === 'string' && !isKilled ? stdout : '';
  }
}
