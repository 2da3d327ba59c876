/** Reads local files that commands compare. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describeLocalError } from '../../client/local-reason.ts';
import { type CommandProblem, failureProblem } from '../command-problem.ts';
import type { CommandContext } from '../table/command-context.ts';

/** Largest local file that is read into memory, as large as the largest answer of a service. */
const largest = 64 * 2 ** 20;

export type LocalBytes =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly problem: CommandProblem };

/** Reads a local file, a pipe, or stdin for `-`. */
export async function readLocalBytes(
  given: string,
  { cwd, stdin }: Pick<CommandContext, 'cwd' | 'stdin'>,
): Promise<LocalBytes> {
  const name = given === '-' ? 'stdin' : given;
  const failed = (reason: string): LocalBytes => ({
    ok: false,
    problem: failureProblem(`Can't read ${name}: ${reason}.`, '', 'local'),
  });
  try {
    const file = path.resolve(cwd, given);
    if (given !== '-' && (await stat(file)).isDirectory()) return failed('it is a folder');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of given === '-' ? stdin() : createReadStream(file)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > largest) return failed('it is larger than 64 MiB');
    }
    return { ok: true, bytes: Buffer.concat(chunks, size) };
  } catch (error) {
    return failed(describeLocalError(error));
  }
}
