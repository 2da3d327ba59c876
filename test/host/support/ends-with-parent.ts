/**
 * Imported first by a host of its own process: ends it in order when the test that started it is
 * gone, which may have been killed.
 */
import { isMainThread } from 'node:worker_threads';

const everyMs = 1000;

if (isMainThread) {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, everyMs);
  look.unref();
}
