import type { ServiceFlags } from '../config/service-target.ts';

/** A command line that starts the console with at most its simplest flags. */
export interface PlainConsole extends ServiceFlags {
  readonly ascii: boolean;
  readonly unicode: boolean;
  readonly screenReader: boolean;
}

const switches: Readonly<Record<string, 'ascii' | 'unicode' | 'screenReader'>> = {
  '--ascii': 'ascii',
  '--unicode': 'unicode',
  '--screen-reader': 'screenReader',
};

/**
 * Reads a command line without words and with at most `--screen-reader`, one of `--ascii` and
 * `--unicode`, and one of `--base-url` and `--profile`, each once, so that the first frame needs no
 * argument parser. Returns undefined for any other command line, which `readArguments` reads.
 */
export function plainConsole(argv: readonly string[]): PlainConsole | undefined {
  let baseUrl: string | undefined;
  let profile: string | undefined;
  const on = { ascii: false, unicode: false, screenReader: false };
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    const name = switches[word];
    if (name !== undefined && !on[name]) on[name] = true;
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
  return on.ascii && on.unicode ? undefined : { baseUrl, profile, ...on };
}

/** Whether a word is certainly the flag's value; it is validated later. */
function isAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:/.test(text);
}

/** Whether a word is certainly the flag's value and no other flag. */
function isProfileName(text: string | undefined): boolean {
  return text !== undefined && /^\w[\w.-]*$/.test(text);
}
