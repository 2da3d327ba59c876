import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Attack, firstOf, type Knowledge, Refused } from './attack.ts';

/** Reads a file. Throws for an empty one, which may hide another file. */
function read(file: string): string {
  const { length } = readFileSync(file);
  if (length === 0) throw new Refused('empty');
  return `read ${length} bytes of ${file}`;
}

function list(folder: string): string {
  const { length } = readdirSync(folder);
  if (length === 0) throw new Refused('empty');
  return `saw ${length} entries of ${folder}`;
}

function readAny(files: readonly string[]): Promise<string> {
  return firstOf(files.map((file) => () => read(file)));
}

function inData({ dataDir }: Knowledge, ...names: readonly string[]): readonly string[] {
  return names.map((name) => path.join(dataDir, name));
}

function findCanary(environment: string, { canary }: Knowledge, place: string): string {
  if (!environment.split('\0').some((entry) => entry.startsWith(`${canary}=`))) {
    throw new Refused('no canary');
  }
  return `read the canary in ${place}`;
}

function canaryOf(pid: string, knowledge: Knowledge): string {
  const file = `/proc/${pid}/environ`;
  return findCanary(readFileSync(file, 'utf8'), knowledge, file);
}

function processIds(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function openDevice(name: string): string {
  const file = path.join('/dev', name);
  if (!statSync(file).isBlockDevice()) throw new Refused('no disk');
  closeSync(openSync(file, 'r'));
  return `opened ${file}`;
}

/** Attacks that succeed for a program of the host's user. */
export const readingAttacks: readonly Attack[] = [
  {
    name: 'inherit the environment of the host',
    attempt: (knowledge) => {
      const entries = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
      return findCanary(entries.join('\0'), knowledge, 'its own environment');
    },
  },
  {
    name: 'read the environment of the host',
    attempt: (knowledge) => canaryOf(String(knowledge.host.pid), knowledge),
  },
  {
    name: 'read the environment of any process',
    attempt: (knowledge) => firstOf(processIds().map((pid) => () => canaryOf(pid, knowledge))),
  },
  {
    name: 'read the token',
    attempt: (knowledge) => readAny(inData(knowledge, 'local-token', 'local-token.new')),
  },
  {
    name: 'read the records',
    attempt: (knowledge) => readAny(inData(knowledge, 'host.db', 'host.db-wal', 'host.db-shm')),
  },
  {
    name: 'read the logs of others',
    attempt: (knowledge) => readAny(inData(knowledge, 'logs.db', 'logs.db-wal', 'logs.db-shm')),
  },
  {
    name: 'list the data folder',
    attempt: (knowledge) =>
      firstOf(['.', 'deployments'].map((name) => () => list(path.join(knowledge.dataDir, name)))),
  },
  {
    name: 'read the staged files of another deployment',
    attempt: ({ stagedFiles }) => readAny(stagedFiles),
  },
  {
    name: 'read the running files of another deployment of its wallet',
    attempt: ({ ownersRunningFiles }) => readAny(ownersRunningFiles),
  },
  {
    name: 'read the running files of another wallet',
    attempt: ({ strangersRunningFiles }) => readAny(strangersRunningFiles),
  },
  {
    name: 'list the folder of another deployment',
    attempt: ({ stagedFiles, ownersRunningFiles, strangersRunningFiles }) =>
      firstOf(
        [...stagedFiles, ...ownersRunningFiles, ...strangersRunningFiles].map(
          (file) => () => list(path.dirname(file)),
        ),
      ),
  },
  {
    name: "read the home of the host's user",
    attempt: ({ homeFiles }) => readAny([...homeFiles, path.join('/root', '.ssh', 'id_rsa')]),
  },
  {
    name: 'read the passwords of the machine',
    attempt: () => readAny(['/etc/shadow', '/etc/gshadow', '/etc/shadow-', '/etc/sudoers']),
  },
  {
    name: 'go through the folders of the host or another service in /proc',
    attempt: ({ host, others, dataDir }) =>
      firstOf([
        // In a sandbox, the first process belongs to bubblewrap.
        ...processIds().map(
          (pid) => () => read(path.join(`/proc/${pid}/root`, dataDir, 'local-token')),
        ),
        ...[host, ...others].flatMap(({ pid }) => [
          () => list(path.join(`/proc/${pid}`, 'root', 'etc')),
          () => list(`/proc/${pid}/cwd`),
          () => list(`/proc/${pid}/fd`),
          () => `saw ${readlinkSync(`/proc/${pid}/exe`)}`,
        ]),
      ]),
  },
];

/** Attacks that fail for any program on a machine without disks and leaked descriptors. */
export const otherReadingAttacks: readonly Attack[] = [
  {
    name: 'read the machine behind its files',
    attempt: () =>
      firstOf([
        ...['/proc/kcore', '/dev/mem', '/dev/port'].map((file) => () => {
          closeSync(openSync(file, 'r'));
          return `opened ${file}`;
        }),
        ...readdirSync('/dev').map((name) => () => openDevice(name)),
      ]),
  },
  {
    name: 'inherit a descriptor of the host',
    attempt: ({ dataDir }) =>
      firstOf(
        readdirSync('/proc/self/fd').map((name) => () => {
          const target = readlinkSync(`/proc/self/fd/${name}`);
          if (!target.startsWith(dataDir)) throw new Refused('nothing of the host');
          return `has ${target} as ${name}`;
        }),
      ),
  },
];
