/** Reads a service definition from a file or from stdin, and checks it like the editor does. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { describeLocalError } from '../../client/local-reason.ts';
import { summariseSdl, type SdlProblem, type SdlSummary } from '../../contract/sdl/reading.ts';
import {
  CommandFailure,
  type CommandProblem,
  failureProblem,
  usageProblem,
} from '../command-problem.ts';

/** Bytes of the largest definition. */
const largest = 1 << 20;

/** Reads the text of a definition; `-` stands for stdin. Rejects with a {@link CommandFailure}. */
export async function readDefinition(
  file: string,
  { cwd, stdin, signal }: { cwd: string; stdin: () => Readable; signal: AbortSignal },
): Promise<string> {
  try {
    const bytes =
      file === '-' ? await readAll(stdin(), signal) : await readWhole(path.resolve(cwd, file));
    if (bytes === undefined) throw unusable(`${nameOf(file)} is larger than 1 MiB or no file.`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.trim() === '') throw unusable(`${nameOf(file)} is empty.`);
    return text;
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const why = error instanceof TypeError ? 'it is not UTF-8 text' : describeLocalError(error);
    throw unusable(`Can't read ${nameOf(file)}: ${why}.`);
  }
}

function unusable(sentence: string): CommandFailure {
  return new CommandFailure(usageProblem(sentence));
}

function nameOf(file: string): string {
  return file === '-' ? 'stdin' : file;
}

async function readWhole(file: string): Promise<Uint8Array | undefined> {
  const { size } = await stat(file);
  // A pipe has no size; its end is the end of the text.
  return size > largest ? undefined : readFile(file);
}

async function readAll(stdin: Readable, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => void stdin.destroy();
  signal.addEventListener('abort', stop);
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    size += bytes.length;
    if (size > largest) return undefined;
  }
  signal.removeEventListener('abort', stop);
  return Buffer.concat(chunks);
}

/** A checked definition: its summary, its warnings, and the problem of its errors. */
export interface CheckedDefinition {
  readonly summary: SdlSummary;
  readonly warnings: readonly string[];
  readonly problem: CommandProblem | undefined;
}

/** Checks a definition; messages begin with `FILE:LINE:COLUMN`. */
export function checkDefinition(text: string, file: string): CheckedDefinition {
  const summary = summariseSdl(text);
  const place = ({ line, column, sentence }: SdlProblem): string =>
    `${nameOf(file)}:${line}:${column}: ${sentence}`;
  const errors = summary.problems.filter(({ isWarning }) => !isWarning).map(place);
  const warnings = summary.problems.filter(({ isWarning }) => isWarning).map(place);
  if (errors.length === 0) return { summary, warnings, problem: undefined };
  const count = errors.length === 1 ? 'a mistake' : `${errors.length} mistakes`;
  const problem = {
    ...failureProblem(
      `${nameOf(file)} has ${count}. Nothing was sent.`,
      'Correct the definition, or send it as it is with --no-check.',
      'definition',
    ),
    details: errors,
  };
  return { summary, warnings, problem };
}
