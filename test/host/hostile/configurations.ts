import { execFileSync } from 'node:child_process';
import { findProgram } from '../../../source/host/isolation/programs.ts';
import type { SandboxChoice } from '../../../source/host/isolation/open-isolation.ts';

/** A configuration of a host with isolation. */
export interface Configuration {
  readonly name: string;
  readonly sandbox: SandboxChoice;
  /** Id of the user that the host runs as. */
  readonly user: number;
  /** Matches the first log line of a run. */
  readonly isolation: RegExp;
  /** Reason why this machine can't run it; undefined when it can. */
  readonly missing: string | undefined;
}

/** An id that no account has and no block of user ids includes. */
export const ordinaryId = 54_321;

const current = process.getuid?.() ?? 0;
const isRoot = current === 0;

function missingProgram(name: string): string | undefined {
  const isInstalled = findProgram(name, process.env['PATH']) !== undefined;
  return isInstalled ? undefined : `${name} is not installed`;
}

/** Some systems forbid namespaces to users: Debian before 11, Ubuntu since 24.04. */
function missingNamespaces(user: number): string | undefined {
  const change = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  const probe = ['bwrap', '--ro-bind', '/', '/', '--unshare-pid', 'true'];
  const [program = '', ...args] = [...(user === current ? [] : change), ...probe];
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'bubblewrap does not work for ordinary users';
  }
}

const notRoot = isRoot ? undefined : 'only root can run services as users of their own';

const missingIsolationProgram = () => missingProgram('bwrap') ?? missingProgram('setpriv');

export function rootWithBubblewrap(): Configuration {
  return {
    name: 'as root with bubblewrap',
    sandbox: 'require',
    user: 0,
    isolation: /^isolation: bubblewrap, user id \d+$/,
    missing: notRoot ?? missingIsolationProgram(),
  };
}

export function rootWithoutBubblewrap(): Configuration {
  return {
    name: 'as root without bubblewrap',
    sandbox: 'off',
    user: 0,
    isolation: /^isolation: user id \d+$/,
    missing: notRoot ?? missingProgram('setpriv'),
  };
}

/** Run as root, the tests start the host as another user. */
export function ordinaryUser(): Configuration {
  const user = isRoot ? ordinaryId : current;
  return {
    name: 'as an ordinary user with bubblewrap',
    sandbox: 'require',
    user,
    isolation: /^isolation: bubblewrap$/,
    missing: missingIsolationProgram() ?? missingNamespaces(user),
  };
}
