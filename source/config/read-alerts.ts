/** Reads the alert rules of the configuration file. */
import { mostRuleLogs } from '../contract/logs.ts';
import type { AlertRule, RuleCondition } from '../store/alerts/rule.ts';
import { parseLineQuery, type QueryProblem } from '../tail/query/log-query.ts';
import type { ConfigField, ConfigReader } from './config-reader.ts';
import { parseDuration } from './duration.ts';

const ruleKeys = ['when', 'for', 'deployments', 'do', 'run'] as const;

/** Reads the rules of a list; undefined where the file has none. */
export function readAlerts(
  reader: ConfigReader,
  list: ConfigField | undefined,
): readonly AlertRule[] | undefined {
  if (list === undefined) return undefined;
  const logs = new Set<string>();
  return reader
    .items(list, 'a list of rules, like [{ when: crash, do: bell }]')
    .flatMap((item) => readRule(reader, item, logs) ?? []);
}

/** @param logs deployments whose logs earlier rules read; those of this one are added. */
function readRule(
  reader: ConfigReader,
  item: ConfigField,
  logs: Set<string>,
): AlertRule | undefined {
  const fields = reader.fields(item, { known: ruleKeys, required: ['when'] });
  const field = fields.get('when');
  let when = '';
  const condition = reader.value(field, listOr(conditionForms), (text) => {
    when = text.trim();
    return parseCondition(when);
  });
  const holdsFor = reader.value(fields.get('for'), 'a time like 2m', parseDuration) ?? 0;
  const action = readAction(reader, fields.get('do'), fields.get('run'));
  const named = fields.get('deployments');
  const expected = 'a name or a list of names, like [shop, ledger]';
  const deployments = named === undefined ? [] : (reader.texts(named, expected) ?? []);
  if (condition === undefined || field === undefined) return undefined;
  if ('sentence' in condition) return refuse(field, condition.sentence, condition.next);
  const rule: AlertRule = { when, condition, holdsFor, deployments, action };
  if (condition.kind === 'service' && named !== undefined) {
    return refuse(named, `${when} is not about deployments.`, 'Remove deployments here.');
  }
  if (condition.kind === 'service' || condition.kind === 'deployment') return rule;
  if (deployments.length === 0) {
    const sentence = 'A rule on log lines must name the deployments whose logs it reads.';
    return refuse(named ?? item, sentence, 'Add deployments, like [shop, ledger].');
  }
  const isFull = logs.size > mostRuleLogs;
  for (const name of deployments) logs.add(name);
  if (logs.size <= mostRuleLogs) return rule;
  // The first mistake names the limit; later rules would repeat it.
  if (isFull) return undefined;
  const sentence = `Rules on log lines name ${logs.size} deployments here.`;
  const next = `They must be at most ${mostRuleLogs}, as each of them is a stream.`;
  return refuse(named ?? item, sentence, next);

  function refuse(place: ConfigField, problem: string, remedy: string): undefined {
    reader.refuse(place, problem, remedy);
    return undefined;
  }
}

function readAction(
  reader: ConfigReader,
  notice: ConfigField | undefined,
  command: ConfigField | undefined,
): AlertRule['action'] {
  const action = reader.value(notice, 'bell or notify', (text) =>
    text === 'bell' || text === 'notify' ? text : undefined,
  );
  // No program takes a text with a NUL.
  const run = reader.value(command, 'a shell command', (text) =>
    text.trim() === '' || text.includes('\0') ? undefined : text.trim(),
  );
  if (run === undefined) return action ?? 'bell';
  if (notice !== undefined) reader.refuse(notice, 'A rule has do or run.', 'Remove one of them.');
  return { run };
}

/** Conditions that are alerts of the console. */
const alertWords: Readonly<Record<string, RuleCondition>> = {
  crash: { kind: 'deployment', alerts: ['crashing', 'failed'] },
  'restart failed': { kind: 'deployment', alerts: ['restart failed', 'restart unconfirmed'] },
  worse: { kind: 'deployment', alerts: ['worse'] },
  'token rejected': { kind: 'service', alerts: ['token rejected'] },
  'disk low': { kind: 'service', alerts: ['disk low'] },
};

/** The forms of a condition, for messages. */
export const conditionForms = [
  ...Object.keys(alertWords),
  'grant<1d',
  'errors>10/min',
  'silent 5m',
  '"& FILTER"',
  '"& FILTER > 10/min"',
  '"pattern: EXPRESSION"',
];

/** The rules of a watch for which the person has written none. */
export const defaultRules: readonly AlertRule[] = [
  'crash',
  'token rejected',
  'disk low',
  'grant<1d',
].flatMap((when) => {
  const condition = parseCondition(when);
  if (condition === undefined || 'sentence' in condition) return [];
  return [{ when, condition, holdsFor: 0, deployments: [], action: 'bell' }];
});

const rateUnits: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000 };

/**
 * Matches `errors>10/min`, `& FILTER` and `& FILTER > 10/min`. A filter ends with a space before its rate,
 * because `latency>10/s` is one.
 */
const ratedLines = /^(errors(?= ?>)|& ?\S.*?(?= >|$))(?: ?> ?(\d{1,6}) ?\/ ?(s|min|h))?$/;

const shortestSilence = 1000;

/** Parses the text of a condition, such as `errors>10/min`; undefined for text in no form. */
export function parseCondition(text: string): RuleCondition | QueryProblem | undefined {
  if (Object.hasOwn(alertWords, text)) return alertWords[text];
  const left = parseDuration(/^grant ?< ?(\S+)$/.exec(text)?.[1] ?? '') ?? 0;
  if (left > 0) return { kind: 'service', alerts: ['grant ending'], within: left };
  const silence = parseDuration(/^silent (\S+)$/.exec(text)?.[1] ?? '') ?? 0;
  if (silence >= shortestSilence) return { kind: 'silent', within: silence };
  const expression = /^pattern: *(\S.*)$/.exec(text)?.[1];
  const [, what, number = '0', unit = 'min'] = ratedLines.exec(text) ?? [];
  const filter = what === 'errors' ? 'level:error' : what?.slice(1).trim();
  const query = { text: expression ?? filter ?? '', regex: expression !== undefined };
  const parsed = parseLineQuery(query);
  if (!parsed.ok) return query.regex ? undefined : parsed.error;
  if (!parsed.value.hasCriteria) return undefined;
  const rate = { more: Number(number), within: rateUnits[unit] ?? 0 };
  return { kind: 'lines', query, ...rate };
}

function listOr(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.slice(-1).join('')}`;
}
