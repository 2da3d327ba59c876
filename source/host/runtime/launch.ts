/** A command line and its environment. */
export interface Launch {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Matches the variable names that a shell can set, apart from {@link shellVariables}. */
const settableName = /^[A-Za-z_]\w*$/;

/** Variables that shells refuse or alter. */
const shellVariables = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID']);

/**
 * Descriptor on which a launch reports its result; it is closed right before the command starts.
 */
export const statusDescriptor = 3;

/** Written to the status descriptor when the command exists and is about to start. */
export const launchedStatus = 'ok';

/**
 * Returns a command line that sets these variables right before the command itself. The programs
 * before it (control groups, bubblewrap, the change of user) run with the host's rights or outside
 * of the sandbox, so a service's LD_PRELOAD or PATH must not reach them. The values are passed in
 * the environment under other names, as other users can read a command line.
 *
 * @param folder working directory of the command; the current one by default.
 */
export function createLaunch(
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
    (settableName.test(name) && !shellVariables.has(name) ? set : others).push(carrier);
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
    `printf ${launchedStatus} >&${statusDescriptor}; exec ${statusDescriptor}>&-`,
    others.length === 0
      ? 'exec "$@"'
      : `exec /usr/bin/env ${others.map((each) => `-u ${each}`).join(' ')} -- ${quoted(others)} "$@"`,
  ].join('\n');
  const wrapped = [...(folder === undefined ? [] : [folder]), ...command];
  return { command: ['/bin/sh', '-c', script, 'hostdeck', ...wrapped], env };
}
