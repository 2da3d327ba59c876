import type { Configured } from './environment.ts';
import type { RestartDelay } from '../store/restarts/state.ts';

/** Seconds in a day; a longer delay is better served by `off`. */
const longest = 86_400;

export const delayRange = 'off, or seconds from 0 to 86400';

/** Parses `SECONDS` or `off`; undefined for anything else. Returns milliseconds, or `off`. */
export function parseRestartDelay(text: string): RestartDelay | undefined {
  return text === 'off' ? 'off' : parseSeconds(text);
}

/** Parses seconds up to a day; undefined for anything else. Returns milliseconds. */
export function parseSeconds(text: string): number | undefined {
  const seconds = Number(text);
  return /^\d+(\.\d+)?$/.test(text) && seconds <= longest ? Math.round(seconds * 1000) : undefined;
}

/** Reads HOSTDECK_RESTART_DELAY; undefined where it is not set. */
export function readRestartDelay(env: NodeJS.ProcessEnv): Configured<RestartDelay | undefined> {
  const text = env['HOSTDECK_RESTART_DELAY'];
  if (text === undefined || text === '') return { ok: true, value: undefined };
  const value = parseRestartDelay(text);
  if (value !== undefined) return { ok: true, value };
  const sentence = `HOSTDECK_RESTART_DELAY is ${text}.`;
  return { ok: false, problem: { sentence, next: `It must be off, or seconds up to ${longest}.` } };
}
