/** Parses the condition of an alert rule, such as `errors>10/min`. */
import type { AlertRule, ListCondition } from '../store/alert-rules/rule.ts';
import { parseDuration } from './duration.ts';

type Condition = AlertRule['condition'];

/** Conditions that are alerts of the console. */
const alertWords: Readonly<Record<string, ListCondition>> = {
  crash: { kind: 'alert', scope: 'deployments', alerts: ['crashing', 'failed'] },
  'restart failed': {
    kind: 'alert',
    scope: 'deployments',
    alerts: ['restart failed', 'restart unconfirmed'],
  },
  worse: { kind: 'alert', scope: 'deployments', alerts: ['worse'] },
  'token rejected': { kind: 'alert', scope: 'service', alerts: ['token rejected'] },
  'disk low': { kind: 'alert', scope: 'service', alerts: ['disk low'] },
};

/** The forms of a condition, for messages. */
export const conditionForms = [
  ...Object.keys(alertWords),
  'grant<1d',
  'errors>10/min',
  'silent 5m',
  '"pattern: EXPRESSION"',
];

const rateUnits = { s: 1000, min: 60_000, h: 3_600_000 } as const;

const shortestSilence = 1000;

/** Returns a condition; undefined for any other text. */
export function parseCondition(text: string): Condition | undefined {
  const trimmed = text.trim();
  if (Object.hasOwn(alertWords, trimmed)) return alertWords[trimmed];
  return grantCondition(trimmed) ?? errorsCondition(trimmed) ?? textCondition(trimmed);
}

function grantCondition(text: string): Condition | undefined {
  const [, span = ''] = /^grant ?< ?(\S+)$/.exec(text) ?? [];
  const within = parseDuration(span) ?? 0;
  return within > 0 ? { kind: 'grant', scope: 'grants', within } : undefined;
}

function errorsCondition(text: string): Condition | undefined {
  const [, number = '', unit = ''] = /^errors ?> ?(\d{1,6}) ?\/ ?(s|min|h)$/.exec(text) ?? [];
  if (number === '') return undefined;
  const within = rateUnits[unit as keyof typeof rateUnits];
  return { kind: 'errors', more: Number(number), within };
}

function textCondition(text: string): Condition | undefined {
  const [, span = ''] = /^silent (\S+)$/.exec(text) ?? [];
  const silence = parseDuration(span) ?? 0;
  if (silence >= shortestSilence) return { kind: 'silent', span: silence };
  const [, pattern = ''] = /^pattern: *(\S.*)$/.exec(text) ?? [];
  return pattern !== '' && isExpression(pattern) ? { kind: 'pattern', pattern } : undefined;
}

function isExpression(text: string): boolean {
  try {
    // The flag of the log's own searches.
    return new RegExp(text, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}
