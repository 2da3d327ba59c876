import { parseProofSeconds, proofRange } from '../contract/proof-length.ts';
import type { Configured } from './environment.ts';
import type { ServiceChoice } from './service-target.ts';

/** Reads HOSTDECK_PROOF in seconds; undefined where it is not set. */
export function readProofSeconds(env: NodeJS.ProcessEnv): Configured<number | undefined> {
  const text = env['HOSTDECK_PROOF'];
  if (text === undefined || text === '') return { ok: true, value: undefined };
  const value = parseProofSeconds(text);
  if (value !== undefined) return { ok: true, value };
  const sentence = `HOSTDECK_PROOF is ${text}.`;
  return { ok: false, problem: { sentence, next: `It must be ${proofRange}.` } };
}

/**
 * Returns the seconds in which a restart is proved, where a variable or the file gives them: a named
 * profile outranks the variable, a default one doesn't.
 */
export function proofSecondsOf(
  choice: ServiceChoice,
  variable: number | undefined,
): number | undefined {
  const ofProfile = choice.kind === 'address' ? undefined : choice.profile?.proofSeconds;
  return choice.kind === 'named' ? (ofProfile ?? variable) : (variable ?? ofProfile);
}
