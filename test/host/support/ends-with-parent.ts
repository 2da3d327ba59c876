/**
 * Stops a host process in order when the test that started it is gone, for example killed. Must be
 * imported first.
 */
import { isMainThread } from 'node:worker_threads';

const everyMs = 1000;

if (isMainThread) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, everyMs);
  timer.unref();
}
