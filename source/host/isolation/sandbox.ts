import { serviceFolder } from '../../contract/sdl/mount-path.ts';
import { isBelow, parents, type SandboxVolume, volumeArguments } from './sandbox-volumes.ts';

/** Home of a service in a sandbox, which has no homes of the machine's users. */
export const sandboxHome = '/tmp';

/** Folders of the system that programs need; missing ones are skipped. */
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

/** Files that a service running as the host's own user could read, and never needs. */
const privateFiles = [
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/sudoers',
];

const privateFolders = [
  '/etc/NetworkManager/system-connections',
  '/etc/docker',
  '/etc/kubernetes',
  '/etc/letsencrypt',
  '/etc/rancher',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/sudoers.d',
  '/etc/wireguard',
];

/** The parts of the machine that a sandboxed service sees. */
export interface SandboxView {
  /** The service's tree, which it can change beside its own temporary folders. */
  readonly folder: string;
  /** The host's data folder, which is hidden apart from the tree. */
  readonly dataDir: string;
  /** Folders of programs outside of the system's folders, such as Node's. */
  readonly programs: readonly string[];
  /** Capabilities that the command keeps to change to its own user, such as `setuid`. */
  readonly capabilities: readonly string[];
  /** Descriptors from which /etc/passwd and /etc/group are read. */
  readonly accounts: { readonly passwd: number; readonly group: number };
  readonly volumes: readonly SandboxVolume[];
  readonly exists: (path: string) => boolean;
}

/**
 * Returns the arguments of bubblewrap before the command. The sandbox has a read-only system
 * without homes, sockets and the data folder; temporary folders, processes and shared memory of its
 * own; and the network of the machine. The sandbox and its processes end with the host.
 */
export function sandboxArguments(view: SandboxView): readonly string[] {
  const { folder, dataDir, programs, capabilities, accounts, volumes, exists } = view;
  const system = systemFolders.filter(exists);
  const outside = programs.filter((program) => !system.some((known) => isBelow(program, known)));
  const visible = [...system, ...outside];
  const hidden = [
    ...privateFolders.filter(exists),
    ...(visible.some((each) => isBelow(dataDir, each)) ? [dataDir] : []),
  ];
  return [
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    ...capabilities.flatMap((each) => ['--cap-add', `CAP_${each.toUpperCase()}`]),
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    // First, as a program's folder may be below the machine's /tmp.
    ...openFolder('/tmp'),
    '--dir',
    '/var',
    ...openFolder('/var/tmp'),
    '--dir',
    '/run',
    // Bubblewrap creates missing parents for their owner only, who isn't the service's user.
    ...outside.flatMap(parents).flatMap((parent) => ['--dir', parent]),
    ...visible.flatMap((each) => ['--ro-bind', each, each]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...openFolder('/dev/shm'),
    ...hidden.flatMap((each) => ['--tmpfs', each]),
    ...privateFiles.filter(exists).flatMap((file) => ['--ro-bind', '/dev/null', file]),
    ...accountFile(accounts.passwd, '/etc/passwd'),
    ...accountFile(accounts.group, '/etc/group'),
    '--bind',
    folder,
    serviceFolder,
    ...volumeArguments(volumes),
    // Last, after mount points are created in them. Files there would use memory without a limit.
    ...['/', '/dev'].flatMap((made) => ['--remount-ro', made]),
  ];
}

function openFolder(folder: string): readonly string[] {
  return ['--perms', '1777', '--tmpfs', folder];
}

function accountFile(descriptor: number, file: string): readonly string[] {
  return ['--perms', '0644', '--ro-bind-data', String(descriptor), file];
}
