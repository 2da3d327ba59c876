/** Finds and reads the configuration file. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type ConfigFile, emptyConfig } from './config-file.ts';
import type { Configured } from './environment.ts';
import { lazyPart } from '../system/lazy-part.ts';

const configParser = lazyPart(() => import('./parse-config.ts'));

/** Bytes of the largest configuration file. */
const largest = 1 << 20;

/**
 * Reads `config.yaml` of the configuration folder. The parser is loaded only if there is a file, so
 * that a start without one costs a single look at the folder.
 * @param home folder that `~/` stands for.
 * @param needsAlerts whether a mistake in the alert rules stops the program.
 */
export async function readConfigFile(
  configFolder: string,
  home: string,
  needsAlerts = false,
): Promise<Configured<ConfigFile>> {
  const file = configPath(configFolder);
  const read = readConfigText(file);
  if (!read.ok) return read;
  if (read.value === undefined) return { ok: true, value: emptyConfig(file) };
  const { parseConfig } = await configParser();
  return parseConfig(read.value, file, home, needsAlerts);
}

/** Returns the path of the configuration file, whether it exists or not. */
export function configPath(configFolder: string): string {
  return path.join(configFolder, 'config.yaml');
}

/** Returns the text of a file; undefined where there is none. Synchronous, because the start needs it. */
export function readConfigText(file: string): Configured<string | undefined> {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return { ok: true, value: undefined };
    // Reading a pipe would wait for its writer.
    if (!found.isFile() || found.size > largest) {
      const next = 'It must be a text file of at most 1 MiB.';
      return { ok: false, problem: { sentence: `Can't read ${file}.`, next } };
    }
    return { ok: true, value: readFileSync(file, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOTDIR') return { ok: true, value: undefined };
    const next = 'Make it readable, or remove it.';
    return { ok: false, problem: { sentence: `Can't read ${file} (${code}).`, next } };
  }
}
