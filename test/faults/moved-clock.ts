/**
 * Moves the wall clock of a host process by the ms in the file that `HOSTDECK_FAULTS_CLOCK` names.
 * Must be imported first.
 */
import { readFileSync } from 'node:fs';

/** Ms until a process has seen a jump. */
export const seenWithin = 20;

const file = process.env['HOSTDECK_FAULTS_CLOCK'];

if (file !== undefined) {
  const systemNow = Date.now;
  let ahead = 0;
  const look = (): void => {
    ahead = Number(readFileSync(file, 'utf8'));
  };
  look();
  setInterval(look, seenWithin).unref();
  Date.now = () => systemNow() + ahead;
}
