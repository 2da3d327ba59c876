import { type Condition, isNodeLost } from './condition.ts';

/** Returns the clause about a failing deployment: `payments is crashing`, `Restart of shop failed`. */
export function failureText(label: string, { kind, word }: Condition): string {
  if (kind === 'restart failed') return `Restart of ${label} failed`;
  if (kind === 'restart unconfirmed') return `Restart of ${label} is unconfirmed`;
  if (isNodeLost(word)) return `${label} has lost a node`;
  const isVerb = /^(?:failed|crashed|errored)$/i.test(word);
  return `${label} ${isVerb ? 'has' : 'is'} ${word.toLowerCase()}`;
}

/** Returns what is known about a failure, to follow the clause: `: 7 restarts in 2m, exit 1`. */
export function failureFactsText(
  { kind, exitCode }: Condition,
  restarts: string | undefined,
): string {
  const facts = [
    kind === 'crashing' && restarts !== undefined ? restarts : '',
    exitCode === undefined ? '' : `exit ${exitCode}`,
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : `: ${facts.join(', ')}`;
}
