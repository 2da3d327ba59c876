/** The console, asked for in the simplest way. */
export interface PlainConsole {
  readonly baseUrl: string | undefined;
  readonly ascii: boolean;
}

/**
 * Reads a command line that asks for nothing but the console: no words, and each flag of the
 * console at most once. Undefined for all else, which is left to {@link readArguments}.
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

/** What certainly is the flag's value; whether it can be used is found out later. */
function isAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:/.test(text);
}
