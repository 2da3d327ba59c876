import { spawn } from 'node:child_process';

/** A way to go on after the deployment is closed. */
export interface Leaving {
  /** A few words after "outlive its close by". */
  readonly name: string;
  /** Lines of a shell; the process that goes on has `$mark` in its command line. */
  readonly lines: string;
  /** How the process that goes on calls itself. */
  readonly argv0?: string;
}

const apart = 'env -i PATH=/usr/bin:/bin';

/** Each process begins the next one and ends: who looks for one finds another. */
const chain = [
  '[ "$2" -lt 2000 ] || exit 0',
  'sleep 0.05',
  `${apart} chain="$chain" setsid sh -c "$chain" sh "$1" $(($2 + 1)) &`,
].join('\n');

export const leavings: readonly Leaving[] = [
  { name: 'setsid', lines: 'setsid sleep $mark' },
  { name: 'nohup', lines: 'nohup sleep $mark &' },
  { name: 'a double fork', lines: '( ( sleep $mark & ) & )' },
  { name: 'env -i', lines: `${apart} sleep $mark &` },
  { name: 'env -u of its mark', lines: 'env -u HOSTDECK_RUN setsid sleep $mark &' },
  { name: 'disown', lines: 'bash -c "sleep $mark & disown" || sleep $mark &' },
  { name: 'another name', lines: '', argv0: '[kworker/0:1]' },
  { name: 'ignored signals', lines: 'trap "" HUP INT QUIT TERM; exec setsid sleep $mark' },
  { name: 'stopping itself', lines: `${apart} sh -c "kill -STOP \\$\\$; sleep $mark" &` },
  {
    name: 'being born again',
    lines: `trap "" HUP INT TERM
      for i in $(seq 200); do ${apart} setsid sh -c "sleep 0.5; : $mark"; done &`,
  },
  {
    name: 'passing itself on',
    lines: `chain='${chain}' ; export chain; setsid sh -c "$chain" sh $mark 0 &`,
  },
  {
    name: 'a namespace of its own',
    lines: 'unshare --user --pid --fork setsid sleep $mark || exec setsid sleep $mark',
  },
  {
    name: 'all of it together',
    lines: `trap "" HUP INT TERM; ( ( ${apart} setsid nohup sh -c "( sleep $mark & ) &" & ) & )`,
  },
];

/** Starts one; `mark` is a number of seconds that no other one has. */
export function leave({ lines, argv0 }: Leaving, mark: string): void {
  const child =
    argv0 === undefined
      ? spawn('/bin/sh', ['-c', lines], {
          detached: true,
          stdio: 'ignore',
          env: { ...process.env, mark },
        })
      : spawn('sleep', [mark], { argv0, detached: true, stdio: 'ignore' });
  child.unref();
}
