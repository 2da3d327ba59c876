import { execFileSync } from 'node:child_process';
import { findProgram } from '../../../source/host/isolation/programs.ts';
import type { SandboxChoice } from '../../../source/host/isolation/sandbox-choice.ts';

/** A way to run a host in which services are kept apart. */
export interface Configuration {
  readonly name: string;
  readonly sandbox: SandboxChoice;
  /** Id of the user that the host runs as. */
  readonly user: number;
  /** The words of a run's first log line. */
  readonly isolation: RegExp;
  /** Why it can't be made here; undefined where it can. */
  readonly missing: string | undefined;
}

/** No account has this id, and no block of user ids includes it. */
export const ordinaryId = 54_321;

const current = process.getuid?.() ?? 0;
const isRoot = current === 0;

function missingProgram(name: string): string | undefined {
  const isThere = findProgram(name, process.env['PATH']) !== undefined;
  return isThere ? undefined : `${name} is not installed`;
}

/** Machines may forbid namespaces to users, as Debian before 11 and Ubuntu since 24.04 do. */
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

const withoutPrograms = () => missingProgram('bwrap') ?? missingProgram('setpriv');

export function rootWithBubblewrap(): Configuration {
  return {
    name: 'as root with bubblewrap',
    sandbox: 'require',
    user: 0,
    isolation: /^isolation: bubblewrap, user id \d+$/,
    missing: notRoot ?? withoutPrograms(),
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

/** Run as root, the tests change to another user for the host. */
export function ordinaryUser(): Configuration {
  const user = isRoot ? ordinaryId : current;
  return {
    name: 'as an ordinary user with bubblewrap',
    sandbox: 'require',
    user,
    isolation: /^isolation: bubblewrap$/,
    missing: withoutPrograms() ?? missingNamespaces(user),
  };
}
