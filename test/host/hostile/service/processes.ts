import { readFileSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { type Attack, firstOf, type Knowledge, type KnownProcess, Refused } from './attack.ts';
import { run } from './programs.ts';

/** Returns field 22 of /proc/PID/stat; undefined for an invisible process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Returns true when it sees the host and runs as the host's user. */
export function hasHostRights({ host }: Knowledge): boolean {
  return (
    startOf(host.pid) === host.startedAt && statSync(`/proc/${host.pid}`).uid === process.getuid?.()
  );
}

/** Throws when the id belongs to another process, as in a process namespace. */
function assertSame({ pid, startedAt }: KnownProcess): void {
  const start = startOf(pid);
  if (start !== undefined && start !== startedAt) throw new Refused('another process');
}

function onEach(
  targets: readonly KnownProcess[],
  attempt: (target: KnownProcess) => Promise<string> | string,
): Promise<string> {
  return firstOf(
    targets.map((target) => () => {
      assertSame(target);
      return attempt(target);
    }),
  );
}

function signals(targets: readonly KnownProcess[]): Promise<string> {
  const names = ['SIGSTOP', 'SIGTERM', 'SIGKILL'] as const;
  return onEach(targets, ({ pid }) => {
    for (const name of names) process.kill(pid, name);
    return `signalled ${pid}`;
  });
}

const hostAndOthers = ({ host, others }: Knowledge) => [host, ...others];

/** Numbers of system calls that no standard program makes. */
const systemCalls =
  process.arch === 'arm64' ? { ptrace: 117, readMemory: 270 } : { ptrace: 101, readMemory: 310 };

/** System calls since Linux 5.1 have the same number on all architectures. */
const pidfdOpen = 434;
const pidfdGetfd = 438;

/** Runs Perl, which can make any system call; `@n` has the values. */
function perl(code: string, ...values: readonly number[]): string {
  return run('perl', [
    '-e',
    `my @n = map { $_ + 0 } @ARGV; ${code}; print "done"`,
    ...values.map(String),
  ]);
}

export const processAttacks: readonly Attack[] = [
  {
    name: 'signal the host',
    attempt: ({ host }) => signals([host]),
  },
  {
    name: 'signal another service',
    attempt: ({ others }) => signals(others),
  },
  {
    name: 'signal the group of another service',
    attempt: ({ others }) =>
      onEach(others, ({ pid }) => {
        process.kill(-pid, 'SIGKILL');
        return `signalled the group ${pid}`;
      }),
  },
  {
    name: 'signal all that it may',
    attempt: () => {
      // The call succeeds in any case; the test checks that other services run on.
      for (const name of ['SIGSTOP', 'SIGTERM', 'SIGKILL']) process.kill(-1, name);
      throw new Refused('none that it should not');
    },
  },
  {
    name: 'trace the host or another service',
    attempt: (knowledge) =>
      onEach(hostAndOthers(knowledge), ({ pid }) => {
        const attach = 16;
        return perl(
          'syscall($n[0], $n[1], $n[2], 0, 0) >= 0 or die "$!\\n"',
          systemCalls.ptrace,
          attach,
          pid,
        );
      }),
  },
  {
    name: 'slow the host or another service down',
    attempt: (knowledge) =>
      onEach(hostAndOthers(knowledge), ({ pid }) => {
        setPriority(pid, constants.priority.PRIORITY_LOW);
        return `reniced ${pid}`;
      }),
  },
  {
    name: 'lower the limits of the host or another service',
    attempt: (knowledge) =>
      onEach(hostAndOthers(knowledge), ({ pid }) =>
        run('prlimit', ['--pid', String(pid), '--nofile=16:16']),
      ),
  },
];

/** Attacks that change nothing, and succeed for a program of the host's user. */
export const memoryAttacks: readonly Attack[] = [
  {
    name: 'read the memory of the host or another service',
    attempt: (knowledge) =>
      onEach(hostAndOthers(knowledge), ({ pid }) =>
        firstOf([
          () => `opened ${readFileSync(`/proc/${pid}/maps`, 'utf8').length} bytes of maps`,
          // EFAULT (14) for an unmapped address proves the right to read.
          () =>
            perl(
              `my $room = "\\0" x 8;
               my $own = pack("QQ", unpack("Q", pack("P", $room)), 8);
               my $far = pack("QQ", 4096, 8);
               syscall($n[0], $n[1], $own, 1, $far, 1, 0) >= 0 or $! == 14 or die "$!\\n"`,
              systemCalls.readMemory,
              pid,
            ),
        ]),
      ),
  },
  {
    name: 'take a descriptor of the host or another service',
    attempt: (knowledge) =>
      onEach(hostAndOthers(knowledge), ({ pid }) =>
        perl(
          `my $process = syscall($n[0], $n[2], 0);
           $process >= 0 or die "$!\\n";
           syscall($n[1], $process, 1, 0) >= 0 or die "$!\\n"`,
          pidfdOpen,
          pidfdGetfd,
          pid,
        ),
      ),
  },
];
