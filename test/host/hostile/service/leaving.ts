import { spawn } from 'node:child_process';

/** A way for a process to outlive its deployment. */
export interface Escape {
  /** A phrase that completes "outlive its close by". */
  readonly name: string;
  /** Shell script; the escaping process has `$mark` in its command line. */
  readonly lines: string;
  /** Name that the escaping process gives itself. */
  readonly argv0?: string;
}

const cleanEnvironment = 'env -i PATH=/usr/bin:/bin';

/** Each process starts the next one and exits, so that a scan may miss all of them. */
const chain = [
  '[ "$2" -lt 2000 ] || exit 0',
  'sleep 0.05',
  `${cleanEnvironment} chain="$chain" setsid sh -c "$chain" sh "$1" $(($2 + 1)) &`,
].join('\n');

export const escapes: readonly Escape[] = [
  { name: 'setsid', lines: 'setsid sleep $mark' },
  { name: 'nohup', lines: 'nohup sleep $mark &' },
  { name: 'a double fork', lines: '( ( sleep $mark & ) & )' },
  { name: 'env -i', lines: `${cleanEnvironment} sleep $mark &` },
  { name: 'env -u of its mark', lines: 'env -u HOSTDECK_RUN setsid sleep $mark &' },
  { name: 'disown', lines: 'bash -c "sleep $mark & disown" || sleep $mark &' },
  { name: 'another name', lines: '', argv0: '[kworker/0:1]' },
  { name: 'ignored signals', lines: 'trap "" HUP INT QUIT TERM; exec setsid sleep $mark' },
  {
    name: 'stopping itself',
    lines: `${cleanEnvironment} sh -c "kill -STOP \\$\\$; sleep $mark" &`,
  },
  {
    name: 'respawning',
    lines: `trap "" HUP INT TERM
      for i in $(seq 200); do ${cleanEnvironment} setsid sh -c "sleep 0.5; : $mark"; done &`,
  },
  {
    name: 'a chain of processes',
    lines: `chain='${chain}' ; export chain; setsid sh -c "$chain" sh $mark 0 &`,
  },
  {
    name: 'a namespace of its own',
    lines: 'unshare --user --pid --fork setsid sleep $mark || exec setsid sleep $mark',
  },
  {
    name: 'all ways together',
    lines: `trap "" HUP INT TERM; ( ( ${cleanEnvironment} setsid nohup sh -c "( sleep $mark & ) &" & ) & )`,
  },
];

/** Starts an escaping process; `mark` is a unique number of seconds. */
export function startEscape({ lines, argv0 }: Escape, mark: string): void {
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
