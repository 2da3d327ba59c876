import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { StartFailure } from '../start-failure.ts';

/** Where a service in a sandbox finds its files, and starts: as in a container. */
const sandboxFolder = '/app';

/** What programs need of the system; what of it is not there is left out. */
const systemFolders = [
  '/bin',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/opt',
  '/run/systemd/resolve',
  '/sbin',
  '/sys/devices/system/cpu',
  '/sys/fs/cgroup',
  '/usr',
];

/** What is of no use to a service and could be read by one of root's. */
const secretFiles = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-'];

const secretFolders = ['/etc/ssh', '/etc/sudoers.d'];

/** The machine as a service in a sandbox shall see it. */
export interface SandboxView {
  /** The running tree, the only thing that it may change beside its own /tmp. */
  readonly folder: string;
  /** The host's data folder, of which it sees nothing else. */
  readonly dataDir: string;
  /** Folders outside of the system that programs are in, as that of Node. */
  readonly programs: readonly string[];
  readonly exists: (path: string) => boolean;
}

/**
 * Arguments of bubblewrap before the command: a read-only system without homes, sockets and the
 * data folder; own /tmp, processes and shared memory; the network of the machine. It dies with the
 * host, and all that it runs with it.
 */
export function sandboxArguments(view: SandboxView): readonly string[] {
  const { folder, dataDir, programs, exists } = view;
  const system = systemFolders.filter(exists);
  const outside = programs.filter((program) => !system.some((known) => isBelow(program, known)));
  const shown = [...system, ...outside];
  const hidden = [
    ...secretFolders.filter(exists),
    ...(shown.some((known) => isBelow(dataDir, known)) ? [dataDir] : []),
  ];
  return [
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    // First, as the folder of a program may lie in the machine's.
    '--tmpfs',
    '/tmp',
    '--dir',
    '/var/tmp',
    '--dir',
    '/run',
    ...shown.flatMap((known) => ['--ro-bind', known, known]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...hidden.flatMap((known) => ['--tmpfs', known]),
    ...secretFiles.filter(exists).flatMap((file) => ['--ro-bind', '/dev/null', file]),
    '--bind',
    folder,
    sandboxFolder,
    '--chdir',
    sandboxFolder,
    // Those of the host's user are not there.
    '--setenv',
    'TMPDIR',
    '/tmp',
    '--unsetenv',
    'OLDPWD',
  ];
}

/** Where a service's home is when it does not say: its user's is not in the sandbox. */
export const sandboxHome = '/tmp';

/** Throws a {@link StartFailure} unless bubblewrap is installed and may make a sandbox. */
export async function assertSandbox(arguments_: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)('bwrap', [...arguments_, '--', '/bin/true'], { timeout: 10_000 });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new StartFailure(
      'no-sandbox',
      isMissing
        ? 'Bubblewrap (bwrap), which makes the sandboxes, is not installed.'
        : `Bubblewrap cannot make a sandbox here: ${said.split('\n')[0]}.`,
      isMissing
        ? 'Install the package bubblewrap, or leave --sandbox out.'
        : 'Allow user namespaces, or leave --sandbox out.',
    );
  }
}

function isBelow(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative));
}
