/** Writes the content of a file of a service to stdout. */
import { createReadStream } from 'node:fs';
import { ambiguousContent } from '../../store/files/trashing.ts';
import { requestedValue } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import { fileProblem, type FileTarget } from './find-file.ts';
import { sanitize, sanitizeBlock } from '../../terminal/screen/sanitize.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

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
    const { certainty } = requestedValue(saved, (error) => fileProblem(context, target, error));
    if (certainty === 'ambiguous') output.note(ambiguousContent);
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

/** Turns the bytes of a file into text that is safe on a terminal. */
interface VisibleText {
  /** Returns the text that is complete after these bytes. */
  add(bytes: Uint8Array): string;
  /** Returns the rest at the end of the file. */
  end(): string;
}

/** Characters after which a line is shown before its end has come. */
const longLine = 65_536;

/** Creates a reader of UTF-8; bytes that are none become U+FFFD. */
export function createVisibleText(): VisibleText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pending = '';

  const take = (length: number): string => {
    const taken = pending.slice(0, length);
    pending = pending.slice(length);
    return taken;
  };
  const lines = (): string => {
    const whole = take(pending.lastIndexOf('\n') + 1);
    return sanitizeBlock(whole, { tab: 'keep' })
      .map((line) => `${line}\n`)
      .join('');
  };

  return {
    add(bytes) {
      pending += decoder.decode(bytes, { stream: true });
      const text = pending.includes('\n') ? lines() : '';
      if (pending.length < longLine) return text;
      // A CR at the end may be the first half of a line end.
      const length = pending.endsWith('\r') ? pending.length - 1 : pending.length;
      return text + sanitize(take(length), { tab: 'keep' });
    },
    end() {
      pending += decoder.decode();
      return sanitize(take(pending.length), { tab: 'keep' });
    },
  };
}

/**
 * Calls a function with the path of a file that is not there yet, in a folder that only this user can
 * enter. Removes both afterwards.
 */
export async function withTemporaryFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-'));
  try {
    return await use(path.join(folder, 'file'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
