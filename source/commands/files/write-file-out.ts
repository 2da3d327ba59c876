/** Writes the content of a file of a service to stdout. */
import { createReadStream } from 'node:fs';
import { ambiguousContent } from '../../store/files/trashing.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import { fileProblem, type FileTarget } from './find-file.ts';
import { withTemporaryFile } from './temporary-file.ts';
import { createVisibleText } from './visible-text.ts';

/**
 * Writes a file of any size to stdout, by way of a temporary file. Into a pipe the bytes are written
 * as they are; on a terminal they are text without escape sequences. A closed pipe ends it quietly.
 */
export async function writeFileOut(
  context: ServiceCommandContext,
  target: FileTarget,
): Promise<ExitCode> {
  const { client, output, signal, isTerminal } = context;
  const { place, path } = target;
  return withTemporaryFile(async (file) => {
    const saved = await client.files.save(place.deployment.id, place.service, path, file, {
      signal,
      onProgress: output.transfer(target.label),
    });
    if (!saved.ok) return output.fail(fileProblem(context, target, saved.error));
    if (saved.value.certainty === 'ambiguous') output.note(ambiguousContent);
    const visible = isTerminal ? createVisibleText() : undefined;
    for await (const chunk of createReadStream(file)) {
      const bytes = chunk as Buffer;
      if (!(await output.write(visible === undefined ? bytes : visible.add(bytes)))) break;
      if (signal.aborted) break;
    }
    if (visible !== undefined) await output.write(visible.end());
    return exitCodes.done;
  });
}
