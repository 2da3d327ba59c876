/** Programs on a pretended macOS: by its name, without /proc, and with its `ps`. */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

const fake = pathToFileURL(path.join(import.meta.dirname, '../fixtures/faked-mac.ts'));

/**
 * The `ps` of macOS: `-E` shows environments, and `-e` selects all processes (ps(1) there), as `axe`
 * does without a dash, too. It answers what the program asks and refuses anything else.
 */
const psOfMac = `#!/bin/sh
case "$*" in
  "-axEww -o pid=,command=") exec /bin/ps axeww -o pid=,command= ;;
  "axeww -o pid=,command=") exec /bin/ps axww -o pid=,command= ;;
  "-o lstart= -p "*) exec /bin/ps "$@" ;;
  *) echo "ps: unexpected $*" >&2; exit 1 ;;
esac
`;

/** Returns the environment of a program on the pretended system. */
export function environmentOfMac(): NodeJS.ProcessEnv {
  const folder = temporaryFolder();
  const ps = path.join(folder, 'ps');
  writeFileSync(ps, psOfMac);
  chmodSync(ps, 0o755);
  const { PATH = '', ...rest } = process.env;
  return { ...rest, PATH: `${folder}:${PATH}`, NODE_OPTIONS: `--import=${fake.href}` };
}
