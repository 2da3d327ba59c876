import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Returns the options of a script. An unknown option lists all options and exits with 2. */
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
