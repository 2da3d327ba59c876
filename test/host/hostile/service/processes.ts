import { readFileSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { type Attack, firstOf, type Knowledge, type KnownProcess, Refused } from './attack.ts';
import { run } from './programs.ts';

/** Field 22 of /proc/PID/stat; undefined for a process that can't be seen. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Whether it could do to the machine all that the host could. */
export function isHostsEqual({ host }: Knowledge): boolean {
  return (
    startOf(host.pid) === host.startedAt && statSync(`/proc/${host.pid}`).uid === process.getuid?.()
  );
}

/** Throws where the id belongs to another process here, as in a process namespace of its own. */
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

const everyone = ({ host, others }: Knowledge) => [host, ...others];

/** Numbers of system calls that no program of every system makes for us. */
const numbers =
  process.arch === 'arm64' ? { ptrace: 117, readMemory: 270 } : { ptrace: 101, readMemory: 310 };

/** The same on all architectures since Linux 5.1. */
const pidfdOpen = 434;
const pidfdGetfd = 438;

/** Runs Perl, which can make any system call; `@n` holds the numbers it is given. */
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
      // Succeeds also where none may be signalled: the test looks whether the others go on.
      for (const name of ['SIGSTOP', 'SIGTERM', 'SIGKILL']) process.kill(-1, name);
      throw new Refused('none that it should not');
    },
  },
  {
    name: 'trace the host or another service',
    attempt: (knowledge) =>
      onEach(everyone(knowledge), ({ pid }) => {
        const attach = 16;
        return perl(
          'syscall($n[0], $n[1], $n[2], 0, 0) >= 0 or die "$!\\n"',
          numbers.ptrace,
          attach,
          pid,
        );
      }),
  },
  {
    name: 'slow the host or another service down',
    attempt: (knowledge) =>
      onEach(everyone(knowledge), ({ pid }) => {
        setPriority(pid, constants.priority.PRIORITY_LOW);
        return `reniced ${pid}`;
      }),
  },
  {
    name: 'lower the limits of the host or another service',
    attempt: (knowledge) =>
      onEach(everyone(knowledge), ({ pid }) =>
        run('prlimit', ['--pid', String(pid), '--nofile=16:16']),
      ),
  },
];

/** They change nothing, and a program of the host's user succeeds with each of them. */
export const peekingAttacks: readonly Attack[] = [
  {
    name: 'read the memory of the host or another service',
    attempt: (knowledge) =>
      onEach(everyone(knowledge), ({ pid }) =>
        firstOf([
          () => `opened ${readFileSync(`/proc/${pid}/maps`, 'utf8').length} bytes of maps`,
          // An address that isn't mapped (EFAULT, 14) is found out only with the right to read.
          () =>
            perl(
              `my $room = "\\0" x 8;
               my $own = pack("QQ", unpack("Q", pack("P", $room)), 8);
               my $far = pack("QQ", 4096, 8);
               syscall($n[0], $n[1], $own, 1, $far, 1, 0) >= 0 or $! == 14 or die "$!\\n"`,
              numbers.readMemory,
              pid,
            ),
        ]),
      ),
  },
  {
    name: 'take a descriptor of the host or another service',
    attempt: (knowledge) =>
      onEach(everyone(knowledge), ({ pid }) =>
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
