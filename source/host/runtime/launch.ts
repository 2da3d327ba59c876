/** A command line, and the environment that it begins with. */
export interface Launch {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Names that a shell can set; it refuses or alters all others, and those of its own. */
const settable = /^[A-Za-z_]\w*$/;

const shellsOwn = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID']);

/** Descriptor on which a launch tells whether it came to the command; it ends right before that. */
export const statusDescriptor = 3;

/** Written there when the command is there and about to begin. */
export const launched = 'ok';

/**
 * Returns a command line that sets these variables last, right before the command itself. What runs
 * before it (control groups, bubblewrap, the change of user) runs with the host's rights or outside
 * of the sandbox, and a service's LD_PRELOAD or PATH must not reach that. The values travel in the
 * environment under other names: other users can read a command line.
 *
 * @param folder where the command starts; left out, it starts where it is.
 */
export function launch(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  folder?: string,
): Launch {
  const env: Record<string, string> = {};
  const set: string[] = [];
  const others: string[] = [];
  for (const [index, [name, value]] of Object.entries(variables).entries()) {
    const carrier = `HOSTDECK_V${index}`;
    env[carrier] = `${name}=${value}`;
    (settable.test(name) && !shellsOwn.has(name) ? set : others).push(carrier);
  }
  const quoted = (carriers: readonly string[]) => carriers.map((each) => `"$${each}"`).join(' ');
  const script = [
    ...(folder === undefined ? [] : ['cd -- "$1" || exit 126', 'shift']),
    ...(set.length === 0 ? [] : [`export ${quoted(set)}`, `unset ${set.join(' ')}`]),
    'case $1 in',
    '  */*) [ -f "$1" ] && [ -x "$1" ] ;;',
    '  *) command -v -- "$1" >/dev/null 2>&1 ;;',
    'esac || {',
    `  [ ! -e "$1" ] || { printf 'not executable' >&${statusDescriptor}; exit 126; }`,
    `  printf 'not found' >&${statusDescriptor}; exit 127`,
    '}',
    `printf ${launched} >&${statusDescriptor}; exec ${statusDescriptor}>&-`,
    others.length === 0
      ? 'exec "$@"'
      : `exec /usr/bin/env ${others.map((each) => `-u ${each}`).join(' ')} -- ${quoted(others)} "$@"`,
  ].join('\n');
  const words = [...(folder === undefined ? [] : [folder]), ...command];
  return { command: ['/bin/sh', '-c', script, 'hostdeck', ...words], env };
}
