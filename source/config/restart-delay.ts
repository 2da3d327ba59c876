import { delayRange, parseRestartDelay } from '../contract/restart-delay.ts';
import type { Configured } from './environment.ts';
import type { RestartDelay } from '../store/restarts/state.ts';

/** Reads HOSTDECK_RESTART_DELAY; undefined where it is not set. */
export function readRestartDelay(env: NodeJS.ProcessEnv): Configured<RestartDelay | undefined> {
  const text = env['HOSTDECK_RESTART_DELAY'];
  if (text === undefined || text === '') return { ok: true, value: undefined };
  const value = parseRestartDelay(text);
  if (value !== undefined) return { ok: true, value };
  const sentence = `HOSTDECK_RESTART_DELAY is ${text}.`;
  return { ok: false, problem: { sentence, next: `It must be ${delayRange}.` } };
}
