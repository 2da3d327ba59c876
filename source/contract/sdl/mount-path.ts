/** The rules for the path at which a service mounts a volume. */

/** Folder of a service's files in a container and in a sandbox, and its working directory. */
export const serviceFolder = '/app';

/** Folders that every container and sandbox has for the kernel's own files. */
const kernelFolders = ['/dev', '/proc', '/sys'];

/** Shared memory, the only folder in /dev that may be a volume. */
const sharedMemory = '/dev/shm';

/** Folders that a process shares with the machine, which are read-only in a sandbox. */
const machineFolders = [
  '/bin',
  '/boot',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix',
  '/opt',
  '/sbin',
  '/usr',
];

/** Leaves room below the system's limit of 4096 bytes for the files in the volume. */
const maxBytes = 1024;

const encoder = new TextEncoder();

/**
 * Returns the path that a mount must have instead, in a few words; undefined for a valid one.
 *
 * @param hasImage true for a service with an image, which has a file system of its own.
 */
export function findMountMistake(text: string, hasImage: boolean): string | undefined {
  if (!text.startsWith('/')) return 'a path that starts with /';
  // Engines separate options by these characters.
  if (/[\p{Cc}\p{Cs},:"\\]/u.test(text)) {
    return 'a path without the characters , : " \\ and control characters';
  }
  if (encoder.encode(text).length > maxBytes) return `a path of at most ${maxBytes} bytes`;
  if (text.split('/').includes('..')) return 'a path without ".."';
  const mount = normaliseMount(text);
  if (mount === '/') return 'a folder below /';
  if (mount === serviceFolder) {
    return `another folder than ${serviceFolder}, which has the service's files`;
  }
  const isShared = mount === sharedMemory || isInside(mount, sharedMemory);
  if (!isShared && isIn(mount, kernelFolders)) {
    return `a folder outside of ${kernelFolders.join(', ')}, or ${sharedMemory}`;
  }
  if (hasImage) return undefined;
  if (isInside(mount, serviceFolder)) {
    return `a folder outside of ${serviceFolder} for a service without an image`;
  }
  return isIn(mount, machineFolders)
    ? 'a folder outside of the system, such as /data, for a service without an image'
    : undefined;
}

/** Returns an absolute path without empty and `.` segments, and without a `/` at its end. */
export function normaliseMount(text: string): string {
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  return `/${segments.join('/')}`;
}

/** Returns true when a normalised path lies below a folder. */
export function isInside(mount: string, folder: string): boolean {
  return mount.startsWith(`${folder}/`);
}

function isIn(mount: string, folders: readonly string[]): boolean {
  return folders.some((folder) => mount === folder || isInside(mount, folder));
}
