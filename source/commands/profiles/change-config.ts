/** Changes the configuration file of the person. */
import { readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ConfigFile } from '../../config/config-file.ts';
import type { Configured } from '../../config/environment.ts';
import { parseConfig } from '../../config/parse-config.ts';
import { configPath, readConfigText } from '../../config/read-config-file.ts';
import { whyNot, writeAtomically } from '../../disk/atomic-file.ts';
import {
  type CommandProblem,
  configurationProblem,
  failureProblem,
  usageProblem,
} from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';

/** The text of the file and its values. */
export interface OpenConfig {
  /** Empty where there is no file. */
  readonly text: string;
  readonly config: ConfigFile;
}

export type OpenedConfig =
  | { readonly ok: true; readonly value: OpenConfig }
  | { readonly ok: false; readonly problem: CommandProblem };

type Places = Pick<CommandContext, 'folders' | 'home'>;

/** Reads the file; a mistake in it is the problem. */
export function openConfig({ folders, home }: Places): OpenedConfig {
  const file = configPath(folders.config);
  const read = readConfigText(file);
  if (!read.ok) return failed(configurationProblem(read.problem));
  const text = read.value ?? '';
  const parsed = parseConfig(text, file, home);
  if (!parsed.ok) return failed(configurationProblem(parsed.problem));
  return { ok: true, value: { text, config: parsed.value } };
}

function failed(problem: CommandProblem): { ok: false; problem: CommandProblem } {
  return { ok: false, problem };
}

/**
 * Replaces the file by an edited text. Refuses what the program would refuse at its next start, and
 * a file that changed meanwhile. Links and the mode of the file stay.
 * @returns the problem; undefined once the file is written, or would be with `--dry-run`.
 */
export async function changeConfig(
  { home, options }: Pick<CommandContext, 'home' | 'options'>,
  before: OpenConfig,
  edited: Configured<string>,
): Promise<CommandProblem | undefined> {
  if (!edited.ok) return configurationProblem(edited.problem);
  const file = before.config.path;
  const parsed = parseConfig(edited.value, file, home);
  if (!parsed.ok) {
    const { sentence, next } = parsed.problem;
    // The line is one of a file that is not written.
    const about = sentence.startsWith(file) ? sentence.slice(file.length) : sentence;
    return usageProblem(about.replace(/^ line \d+(?:, column \d+)?: /, ''), next);
  }
  if (options.dryRun) return undefined;
  try {
    const place = await placeOf(file);
    const now = await contentOf(place);
    const problem = changedMeanwhile(file, now?.content ?? Buffer.alloc(0), before);
    if (problem !== undefined) return problem;
    await writeAtomically(place, edited.value, now?.mode);
    return undefined;
  } catch (error) {
    return failureProblem(
      `Can't write ${file}: ${whyNot(error)}.`,
      `Nothing was changed. Check ${path.dirname(file)}.`,
    );
  }
}

/** Links that are followed at most, as by the system. */
const mostLinks = 40;

/** Returns the file that a link leads to, whether it exists or not. */
async function placeOf(file: string): Promise<string> {
  let place = file;
  for (let links = 0; links < mostLinks; links += 1) {
    const target = await readlink(place).catch(() => undefined);
    if (target === undefined) return place;
    place = path.resolve(path.dirname(place), target);
  }
  return place;
}

async function contentOf(place: string): Promise<{ content: Buffer; mode: number } | undefined> {
  try {
    const [content, { mode }] = [await readFile(place), await stat(place)];
    return { content, mode: mode & 0o777 };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the problem of a file that is not what was read. */
function changedMeanwhile(
  file: string,
  content: Buffer,
  before: OpenConfig,
): CommandProblem | undefined {
  if (content.equals(Buffer.from(before.text))) return undefined;
  if (content.toString() === before.text) {
    return usageProblem(`${file} is not UTF-8 text.`, 'Convert it, or edit it by hand.');
  }
  return {
    exit: exitCodes.conflict,
    code: 'conflict',
    sentence: `${file} was changed meanwhile.`,
    next: 'Run the command again.',
  };
}
