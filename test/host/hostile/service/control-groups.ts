import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Attack, firstOf } from './attack.ts';
import { inNamespaces } from './programs.ts';

const limitFiles = [
  'pids.max',
  'memory.max',
  'memory.limit_in_bytes',
  'cpu.max',
  'cpu.cfs_quota_us',
];

const ownGroups = ['mkdir -p /tmp/groups', 'mount -t cgroup2 none /tmp/groups'];

/** Writes to an existing file. */
function write(file: string, text: string): string {
  writeFileSync(file, text, { flag: 'r+' });
  return `wrote to ${file}`;
}

/** Returns the folders of its control groups in each hierarchy. */
function controlGroups(): readonly string[] {
  return readFileSync('/proc/self/cgroup', 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, controllers = '', own = ''] = line.split(':');
      const name = controllers.replace('name=', '');
      return (name === '' ? ['', 'unified'] : [name]).flatMap((each) => [
        `/sys/fs/cgroup/${each}${own}`,
        `/sys/fs/cgroup/${each}`,
      ]);
    });
}

export const controlGroupAttacks: readonly Attack[] = [
  {
    name: 'raise the limits of its control group',
    attempt: () =>
      firstOf([
        ...controlGroups().flatMap((folder) =>
          limitFiles.map((file) => () => write(path.join(folder, file), '-1')),
        ),
        () => inNamespaces(...ownGroups, 'echo max > /tmp/groups/pids.max'),
      ]),
  },
  {
    name: 'leave its control group',
    attempt: () =>
      firstOf([
        ...controlGroups().flatMap((folder) =>
          ['.', '..', '../..'].map(
            (above) => () => write(path.join(folder, above, 'cgroup.procs'), String(process.pid)),
          ),
        ),
        () =>
          inNamespaces(
            ...ownGroups,
            'mkdir /tmp/groups/own',
            'echo $$ > /tmp/groups/own/cgroup.procs',
          ),
      ]),
  },
];
