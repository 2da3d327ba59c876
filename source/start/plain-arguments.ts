import type { ServiceFlags } from '../config/service-target.ts';

/** A command line that starts the console with at most its simplest flags. */
export interface PlainConsole extends ServiceFlags {
  readonly ascii: boolean;
}

/**
 * Reads a command line without words and with at most `--ascii` and one of `--base-url` and
 * `--profile`, each once, so that the first frame needs no argument parser. Returns undefined for any other command line, which
 * `readArguments` reads.
 */
export function plainConsole(argv: readonly string[]): PlainConsole | undefined {
  let baseUrl: string | undefined;
  let profile: string | undefined;
  let ascii = false;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--ascii' && !ascii) ascii = true;
    else if (baseUrl !== undefined || profile !== undefined) return undefined;
    else if (word === '--base-url') {
      index += 1;
      baseUrl = argv[index];
      if (!isAddress(baseUrl)) return undefined;
    } else if (word === '--profile') {
      index += 1;
      profile = argv[index];
      if (!isProfileName(profile)) return undefined;
    } else return undefined;
  }
  return { baseUrl, profile, ascii };
}

/** Whether a word is certainly the flag's value; it is validated later. */
function isAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:/.test(text);
}

/** Whether a word is certainly the flag's value and no other flag. */
function isProfileName(text: string | undefined): boolean {
  return text !== undefined && /^\w[\w.-]*$/.test(text);
}
