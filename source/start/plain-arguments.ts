/** A command line that starts the console with at most its two simplest flags. */
export interface PlainConsole {
  readonly baseUrl: string | undefined;
  readonly ascii: boolean;
}

/**
 * Reads a command line without words and with at most `--ascii` and `--base-url`, each once, so that
 * the first frame needs no argument parser. Returns undefined for any other command line, which
 * `readArguments` reads.
 */
export function plainConsole(argv: readonly string[]): PlainConsole | undefined {
  let baseUrl: string | undefined;
  let ascii = false;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--ascii' && !ascii) ascii = true;
    else if (word === '--base-url' && baseUrl === undefined) {
      index += 1;
      baseUrl = argv[index];
      if (!isAddress(baseUrl)) return undefined;
    } else return undefined;
  }
  return { baseUrl, ascii };
}

/** Whether a word is certainly the flag's value; it is validated later. */
function isAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:/.test(text);
}
