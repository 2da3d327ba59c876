import { closeSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Attack, firstOf } from './attack.ts';
import { run } from './programs.ts';

/** Name of the files that it creates outside of its tree. */
const markerName = 'hostdeck-hostile';

/** Opens an existing file for writing, and writes nothing. */
function openToWrite(file: string): string {
  closeSync(openSync(file, 'r+'));
  return `could write to ${file}`;
}

function createIn(folder: string): string {
  const file = path.join(folder, markerName);
  writeFileSync(file, '');
  rmSync(file);
  return `made ${file}`;
}

function changeAny(files: readonly string[], folders: readonly string[]): Promise<string> {
  return firstOf([
    ...files.map((file) => () => openToWrite(file)),
    ...folders.map((folder) => () => createIn(folder)),
  ]);
}

export const writingAttacks: readonly Attack[] = [
  {
    name: 'write to the data folder',
    attempt: ({ dataDir }) =>
      changeAny(
        ['host.db', 'logs.db', 'local-token'].map((name) => path.join(dataDir, name)),
        [dataDir, path.join(dataDir, 'deployments')],
      ),
  },
  {
    name: 'write beside its own files',
    attempt: () => changeAny([], ['..', '../..', '/run', '/var', '/dev', '/sys', '/proc']),
  },
  {
    name: 'write to the files of another deployment',
    attempt: ({ stagedFiles, ownersRunningFiles, strangersRunningFiles }) => {
      const files = [...stagedFiles, ...ownersRunningFiles, ...strangersRunningFiles];
      return changeAny(
        files,
        files.map((file) => path.dirname(file)),
      );
    },
  },
  {
    name: 'write to the system',
    attempt: () =>
      changeAny(
        ['/etc/passwd', '/etc/ld.so.preload', '/etc/crontab', '/usr/bin/env'],
        ['/usr', '/usr/bin', '/usr/local/bin', '/etc', '/etc/cron.d', '/lib', '/opt'],
      ),
  },
  {
    name: 'write to the settings of the kernel',
    attempt: () =>
      changeAny(
        ['kernel/core_pattern', 'kernel/modprobe', 'vm/overcommit_memory', '../sysrq-trigger'].map(
          (name) => path.join('/proc/sys', name),
        ),
        [],
      ),
  },
  {
    name: 'write to the program of the host',
    attempt: ({ programFiles }) =>
      changeAny(
        programFiles,
        programFiles.map((file) => path.dirname(file)),
      ),
  },
  {
    name: 'write to the standard output of the host',
    attempt: ({ host }) =>
      changeAny(
        [1, 2].map((number) => `/proc/${host.pid}/fd/${number}`),
        [],
      ),
  },
  {
    name: 'open the terminal of the host',
    attempt: () => changeAny(['/dev/tty', '/dev/console'], []),
  },
  {
    name: "write to a file of the host's user by a hard link",
    attempt: ({ publicFile }) =>
      firstOf(
        [publicFile, '/etc/passwd'].map((file) => () => {
          linkSync(file, 'hard-link');
          return openToWrite('hard-link');
        }),
      ),
  },
  {
    name: 'make a device',
    attempt: () =>
      firstOf([
        () => run('mknod', ['device', 'c', '1', '1']),
        () => run('mknod', ['disk', 'b', '8', '0']),
      ]),
  },
  {
    name: "make a file that is root's",
    attempt: () => {
      mkdirSync('own', { recursive: true });
      return run('chown', ['0:0', 'own']);
    },
  },
];
