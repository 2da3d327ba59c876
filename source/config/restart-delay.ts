import type { Configured } from './config.ts';
import type { RestartDelay } from '../store/restarts/state.ts';

/** Seconds: a day. What should wait longer is better left `off`. */
const longest = 86_400;

/** Reads `SECONDS` or `off` as it is written on the command line; undefined for all else. */
export function parseRestartDelay(text: string): RestartDelay | undefined {
  if (text === 'off') return 'off';
  const seconds = Number(text);
  return /^\d+(\.\d+)?$/.test(text) && seconds <= longest ? Math.round(seconds * 1000) : undefined;
}

/** The delay that HOSTDECK_RESTART_DELAY asks for; undefined without one. */
export function readRestartDelay(env: NodeJS.ProcessEnv): Configured<RestartDelay | undefined> {
  const text = env['HOSTDECK_RESTART_DELAY'];
  if (text === undefined || text === '') return { ok: true, value: undefined };
  const value = parseRestartDelay(text);
  if (value !== undefined) return { ok: true, value };
  const sentence = `HOSTDECK_RESTART_DELAY is ${text}.`;
  return { ok: false, problem: { sentence, next: `It can be off, or seconds up to ${longest}.` } };
}
