/** The way of a stranger: from the packed file to the first line of a log. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeFolder, run } from '../../.config/node-download.ts';
import { launch } from '../e2e/harness.ts';
import type { Row } from './measure.ts';

/** Oldest version of Node that the package supports. */
const oldestNode = '24.21.0';

/** Packs this checkout, then installs the file on a machine with no cache, and starts the console. */
export async function install(): Promise<Row> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-install-'));
  try {
    const root = path.resolve(import.meta.dirname, '../..');
    run('npm', ['pack', '--silent', '--pack-destination', folder], root);
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const node = path.join(
      nodeFolder(`${process.platform}-${process.arch}`, oldestNode),
      'bin/node',
    );
    const [prefix, cache] = [path.join(folder, 'prefix'), path.join(folder, 'cache')];
    mkdirSync(prefix);
    const begin = performance.now();
    const flags = ['--global', '--silent', '--prefix', prefix, '--cache', cache];
    run('npm', ['install', ...flags, `./${packed}`], folder);
    const installed = performance.now();
    await using session = launch({ command: [node, path.join(prefix, 'bin/hostdeck')] });
    await session.waitFor(/job \d+/);
    const seconds = (performance.now() - begin) / 1000;
    const first = (performance.now() - installed) / 1000;
    return {
      what: `packed file to the first log line on Node ${oldestNode}, nothing cached (the start alone: ${first.toFixed(1)} s)`,
      ours: `${seconds.toFixed(1)} s`,
      goal: { at: 60, value: seconds, unit: 's' },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
