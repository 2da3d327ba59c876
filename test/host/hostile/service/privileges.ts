import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type Attack, firstOf, Refused } from './attack.ts';
import { inNamespaces, run, runLines } from './programs.ts';

/** Returns the value of a line of /proc/self/status. */
function statusOf(name: string): string {
  const status = readFileSync('/proc/self/status', 'utf8');
  return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
}

/** Throws unless a program printed the id of root. */
function assertRoot(userId: string): string {
  if (userId !== '0') throw new Refused(`runs as ${userId}`);
  return 'ran as root';
}

export const privilegeAttacks: readonly Attack[] = [
  {
    name: 'become root',
    attempt: () =>
      firstOf(
        [
          () => process.setgid?.(0),
          () => process.setgroups?.([0]),
          () => process.seteuid?.(0),
          () => process.setuid?.(0),
        ].map((change) => () => {
          change();
          return 'changed to an id of root';
        }),
      ),
  },
  {
    name: 'become another user',
    attempt: () => {
      process.setuid?.((process.getuid?.() ?? 0) + 1);
      return `is ${process.getuid?.()}`;
    },
  },
  {
    name: 'run a program with the rights of root',
    attempt: ({ rootProgram }) =>
      firstOf([
        () => assertRoot(run('sudo', ['-n', 'id', '-u'])),
        () =>
          assertRoot(
            rootProgram === undefined ? run('su', ['-c', 'id -u']) : run(rootProgram, ['-u']),
          ),
      ]),
  },
  {
    name: 'gain privileges by running a program',
    attempt: () => {
      if (statusOf('NoNewPrivs') === '1') throw new Refused('NoNewPrivs');
      return 'NoNewPrivs is not set';
    },
  },
  {
    name: 'hold a capability',
    attempt: () =>
      firstOf(
        ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'].map((set) => () => {
          const value = statusOf(`Cap${set}`);
          if (/^0+$/.test(value)) throw new Refused('none');
          return `Cap${set} is ${value}`;
        }),
      ),
  },
  {
    name: "keep a group of the host's user",
    attempt: () => {
      const groups = process.getgroups?.().filter((id) => id !== process.getgid?.()) ?? [];
      // An id that the sandbox's namespace doesn't map grants nothing.
      const ownGroups = groups.filter((id) => id !== 65_534);
      if (ownGroups.length === 0) throw new Refused('none');
      return `is in ${ownGroups.join()}`;
    },
  },
  {
    name: 'mount a file system',
    attempt: () => runLines('mkdir -p mounted', 'mount -t tmpfs none mounted'),
  },
  {
    name: 'change its root',
    attempt: () => run('chroot', ['.', '/bin/true']),
  },
  {
    name: 'uncover what is hidden from a namespace of its own',
    attempt: ({ dataDir }) =>
      firstOf([
        () => inNamespaces('umount /etc/shadow', 'test -s /etc/shadow'),
        () => inNamespaces('umount -l /etc/ssh', 'ls /etc/ssh/*'),
        () => inNamespaces(`umount -l ${dataDir}`, `ls ${dataDir}/*`),
        () => inNamespaces(`cat ${dataDir}/local-token`),
        () =>
          inNamespaces(
            'mount -o remount,bind,rw /usr',
            'touch /usr/hostdeck-hostile',
            'rm /usr/hostdeck-hostile',
          ),
        () =>
          inNamespaces(
            'mkdir -p /tmp/proc',
            'mount -t proc none /tmp/proc',
            'cat /tmp/proc/kcore | head -c 1',
          ),
      ]),
  },
  {
    name: 'raise its priority',
    attempt: () => {
      setPriority(-20);
      return 'has the highest priority';
    },
  },
  {
    name: 'raise its limits',
    attempt: () =>
      firstOf([
        () => runLines('ulimit -H -n 1048577'),
        () => run('prlimit', [`--pid=${process.pid}`, '--nofile=1048577:1048577']),
      ]),
  },
];
