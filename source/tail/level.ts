/** How bad a line is, as far as its text tells. */
export type Level = 'error' | 'warn';

/** A word about a line's level near its start, as the common formats write it. */
const errors = /\b(error|fatal|panic|critical|exception)\b|\bE\d{4}\b|"level":\s*"(error|fatal)"/i;
const warnings = /\bwarn(ing)?\b|"level":\s*"warn/i;
const lookedAt = 120;

/** The level that a line seems to have; undefined when it shows none. */
export function levelOf(text: string): Level | undefined {
  const head = text.slice(0, lookedAt);
  if (errors.test(head)) return 'error';
  return warnings.test(head) ? 'warn' : undefined;
}
