import type { SeedFile } from '../files/files.ts';

const service = 'worker';

/** Files of a worker that simulates jobs and logs a few lines a second in all levels. */
export const workerFiles: readonly SeedFile[] = [
  {
    service,
    path: 'README.md',
    content: `# worker

Simulates a job queue and logs each job: INFO, WARN and ERROR lines, some as JSON, a few lines a
second.

config/worker.yaml sets the pace and how often jobs are slow or fail.
`,
  },
  {
    service,
    path: 'package.json',
    content: `{
  "name": "sample-worker",
  "private": true,
  "type": "module",
  "scripts": { "start": "node worker.js" }
}
`,
  },
  {
    service,
    path: 'config/worker.yaml',
    content: `# Read once, when the worker starts.
# Milliseconds between two jobs, on average.
pace: 700

# One job in this many is slow, and one in this many fails.
slow: 9
failing: 23

# Jobs between two reports, each a line of JSON.
report: 12
`,
  },
  {
    service,
    path: 'worker.js',
    content: `import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { kinds, work } from './lib/jobs.js';

const text = await readFile('config/worker.yaml', 'utf8');
const config = Object.fromEntries(
  [...text.matchAll(/^(\\w+): *(\\d+)/gm)].map(([, name, value]) => [name, Number(value)]),
);
const queue = process.env.QUEUE ?? 'default';

let stopping = false;
process.on('SIGTERM', () => {
  stopping = true;
  console.log('INFO finishing the current job');
});

console.log('INFO worker on queue', queue, 'with', kinds.length, 'kinds of jobs');

const counts = { done: 0, slow: 0, failed: 0 };
for (let job = 1; !stopping; job += 1) {
  const kind = kinds[job % kinds.length];
  console.log('INFO', 'job', job, kind + ': started');
  const { ms, error } = work(job, config);
  await setTimeout(Math.min(ms, config.pace));
  if (error !== undefined) {
    counts.failed += 1;
    console.error('ERROR', 'job', job, kind + ':', error);
    console.error('  tried 3 times, put back into', queue);
  } else if (ms > config.pace) {
    counts.slow += 1;
    console.log('WARN', 'job', job, kind + ':', 'took', ms + 'ms');
  } else {
    counts.done += 1;
    console.log('INFO', 'job', job, kind + ':', 'done in', ms + 'ms');
  }
  if (job % config.report === 0) {
    console.log(JSON.stringify({ level: 'info', msg: 'report', queue, job, ...counts }));
  }
}

console.log('INFO', counts.done, 'done,', counts.failed, 'failed');
`,
  },
  {
    service,
    path: 'lib/jobs.js',
    content: `export const kinds = ['resize', 'thumbnail', 'transcode', 'archive', 'notify'];

const errors = [
  'upstream timeout after 800ms',
  'cannot read header: unexpected end of file',
  'connection reset by peer',
];

/** Returns the duration of a job, and its error if it fails. */
export function work(job, { pace, slow, failing }) {
  const ms = Math.round(pace * (0.4 + 0.5 * Math.random()));
  if (job % failing === 0) return { ms, error: errors[(job / failing) % errors.length] };
  if (job % slow === 0) return { ms: ms * 3 };
  return { ms };
}
`,
  },
];
