/** Changes the configuration file of the person. */
import { readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ConfigFile } from '../../config/config-file.ts';
import type { Configured } from '../../config/environment.ts';
import { parseConfig } from '../../config/parse-config.ts';
import { configPath, readConfigText } from '../../config/read-config-file.ts';
import { whyNot, writeAtomically } from '../../disk/atomic-file.ts';
import {
  CommandFailure,
  configuredValue,
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

type Places = Pick<CommandContext, 'folders' | 'home'>;

/** Reads the file. Throws a `CommandFailure` for a mistake in it. */
export function openConfig({ folders, home }: Places): OpenConfig {
  const file = configPath(folders.config);
  const text = configuredValue(readConfigText(file)) ?? '';
  return { text, config: configuredValue(parseConfig(text, file, home)) };
}

/**
 * Replaces the file by an edited text. Refuses what the program would refuse at its next start, and
 * a file that changed meanwhile, with a `CommandFailure`. Links and the mode of the file stay.
 * Resolves once the file is written, or at once with `--dry-run`.
 */
export async function changeConfig(
  { home, options }: Pick<CommandContext, 'home' | 'options'>,
  before: OpenConfig,
  edited: Configured<string>,
): Promise<void> {
  const text = configuredValue(edited);
  const file = before.config.path;
  const parsed = parseConfig(text, file, home);
  if (!parsed.ok) {
    const { sentence, next } = parsed.problem;
    // The line is one of a file that is not written.
    const about = sentence.startsWith(file) ? sentence.slice(file.length) : sentence;
    const own = about.replace(/^ line \d+(?:, column \d+)?: /, '');
    throw new CommandFailure(usageProblem(own, next));
  }
  if (options.dryRun) return;
  try {
    const place = await placeOf(file);
    const now = await contentOf(place);
    assertUnchanged(file, now?.content ?? Buffer.alloc(0), before);
    await writeAtomically(place, text, now?.mode);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const next = `Nothing was changed. Check ${path.dirname(file)}.`;
    throw new CommandFailure(failureProblem(`Can't write ${file}: ${whyNot(error)}.`, next));
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

/** Throws a {@link CommandFailure} for a file that is not what was read. */
function assertUnchanged(file: string, content: Buffer, { text }: OpenConfig): void {
  if (content.equals(Buffer.from(text))) return;
  if (content.toString() === text) {
    const next = 'Convert it, or edit it by hand.';
    throw new CommandFailure(usageProblem(`${file} is not UTF-8 text.`, next));
  }
  throw new CommandFailure({
    exit: exitCodes.conflict,
    code: 'conflict',
    sentence: `${file} was changed meanwhile.`,
    next: 'Run the command again.',
  });
}
