import { parseArgs, type ParseArgsConfig } from 'node:util';

/** What a script of ours was told to do. Ends it with 2, and the options there are, where it does not know one. */
export function readOptions<const T extends NonNullable<ParseArgsConfig['options']>>(options: T) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const all = Object.keys(options).map((name) => `--${name}`);
    process.stderr.write(`${error.message}\nThere are ${all.join(', ')}.\n`);
    process.exit(2);
  }
}
