import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../support/bounded-wait.ts';
import { launch, type Session } from '../e2e/harness.ts';
import type { Stalls } from './stall-watch.ts';

const watch = path.resolve(import.meta.dirname, 'stall-watch.ts');

/** Ms; a failure limit, not a delay. */
const patience = 60_000;

/** A console at 200x50 that tells how long its event loop stands still. */
export interface WatchedConsole extends AsyncDisposable {
  readonly session: Session;
  /** Returns the stalls of the event loop during `work`. */
  during(work: () => Promise<unknown>): Promise<Stalls>;
}

export function launchWatched(baseUrl: string, token: string): WatchedConsole {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-bench-'));
  const file = path.join(folder, 'stalls.json');
  const session = launch({
    env: {
      HOSTDECK_BASE_URL: baseUrl,
      HOSTDECK_TOKEN: token,
      HOSTDECK_BENCH_STALLS: file,
      NODE_OPTIONS: `--import=${watch}`,
    },
    cols: 200,
    rows: 50,
  });
  return {
    session,
    async during(work) {
      session.kill('SIGURG');
      await work();
      session.kill('SIGURG');
      await until('what stood still', () => existsSync(file), { within: patience, every: 20 });
      const stalls = JSON.parse(readFileSync(file, 'utf8')) as Stalls;
      rmSync(file);
      return stalls;
    },
    async [Symbol.asyncDispose]() {
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
