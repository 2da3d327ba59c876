/** Reads the alert rules of the configuration file. */
import { mostRuleLogs } from '../contract/rule-logs.ts';
import type { AlertRule, ListCondition, RuleAction } from '../store/alerts/rule.ts';
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
    .flatMap((item): readonly AlertRule[] => {
      const rule = readRule(reader, item, logs);
      return rule === undefined ? [] : [rule];
    });
}

/** @param logs deployments whose logs earlier rules read; those of this one are added. */
function readRule(
  reader: ConfigReader,
  item: ConfigField,
  logs: Set<string>,
): AlertRule | undefined {
  const fields = reader.fields(item, { known: ruleKeys, required: ['when'] });
  let when = '';
  const parsed = reader.value(fields.get('when'), listOr(conditionForms), (text) => {
    when = text.trim();
    return parseCondition(when);
  });
  const span = reader.value(fields.get('for'), 'a time like 2m', parseDuration) ?? 0;
  const action = readAction(reader, fields.get('do'), fields.get('run'));
  const named = fields.get('deployments');
  const expected = 'a name or a list of names, like [shop, ledger]';
  const deployments = named === undefined ? [] : (reader.texts(named, expected) ?? []);
  const field = fields.get('when');
  if (parsed === undefined || field === undefined) return undefined;
  if ('sentence' in parsed) {
    reader.refuse(field, parsed.sentence, parsed.next);
    return undefined;
  }
  const { condition, silence = 0 } = parsed;
  const rule = { when, condition, holdsFor: silence + span, deployments, action };
  if (condition.kind === 'lines' || condition.kind === 'silent') {
    return namesLogs(reader, rule, named ?? item, logs) ? rule : undefined;
  }
  if (named === undefined || (condition.kind === 'alert' && condition.about === 'deployments')) {
    return rule;
  }
  reader.refuse(named, `${when} is not about deployments.`, 'Remove deployments here.');
  return undefined;
}

function readAction(
  reader: ConfigReader,
  notice: ConfigField | undefined,
  command: ConfigField | undefined,
): RuleAction {
  const action = reader.value<RuleAction>(notice, 'bell or notify', (text) =>
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

/** Returns whether a rule on log lines names the logs it reads. @param field the place of a mistake. */
function namesLogs(
  reader: ConfigReader,
  { deployments }: AlertRule,
  field: ConfigField,
  logs: Set<string>,
): boolean {
  if (deployments.length === 0) {
    const sentence = 'A rule on log lines must name the deployments whose logs it reads.';
    reader.refuse(field, sentence, 'Add deployments, like [shop, ledger].');
    return false;
  }
  const before = logs.size;
  for (const name of deployments) logs.add(name);
  if (logs.size > mostRuleLogs && before <= mostRuleLogs) {
    reader.refuse(
      field,
      `Rules on log lines name ${logs.size} deployments here.`,
      `They must be at most ${mostRuleLogs}, as each of them is a stream.`,
    );
  }
  return logs.size <= mostRuleLogs;
}

/** Conditions that are alerts of the console. */
const alertWords = {
  crash: { kind: 'alert', about: 'deployments', alerts: ['crashing', 'failed'] },
  'restart failed': {
    kind: 'alert',
    about: 'deployments',
    alerts: ['restart failed', 'restart unconfirmed'],
  },
  worse: { kind: 'alert', about: 'deployments', alerts: ['worse'] },
  'token rejected': { kind: 'alert', about: 'service', alerts: ['token rejected'] },
  'disk low': { kind: 'alert', about: 'service', alerts: ['disk low'] },
} as const satisfies Readonly<Record<string, ListCondition>>;

const withoutKeys = { holdsFor: 0, deployments: [], action: 'bell' } as const;

/** The rules of a watch for which the person has written none. */
export const defaultRules: readonly AlertRule[] = [
  { ...withoutKeys, when: 'crash', condition: alertWords.crash },
  { ...withoutKeys, when: 'token rejected', condition: alertWords['token rejected'] },
  { ...withoutKeys, when: 'disk low', condition: alertWords['disk low'] },
  { ...withoutKeys, when: 'grant<1d', condition: { kind: 'grant', within: 86_400_000 } },
];

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

const rateUnits = { s: 1000, min: 60_000, h: 3_600_000 } as const;

/**
 * Matches `errors>10/min`, `& FILTER` and `& FILTER > 10/min`. A filter ends with a space before its rate,
 * because `latency>10/s` is one.
 */
const ratedLines = /^(errors(?= ?>)|& ?\S.*?(?= >|$))(?: ?> ?(\d{1,6}) ?\/ ?(s|min|h))?$/;

/** Milliseconds for which a line without a rate counts. */
const lineSpan = 60_000;

const shortestSilence = 1000;

interface ParsedCondition {
  readonly condition: AlertRule['condition'];
  /** Milliseconds of silence, which the rule waits for. */
  readonly silence?: number;
}

/** Parses the text of a condition, such as `errors>10/min`; undefined for text in no form. */
export function parseCondition(text: string): ParsedCondition | QueryProblem | undefined {
  if (Object.hasOwn(alertWords, text)) {
    return { condition: alertWords[text as keyof typeof alertWords] };
  }
  const within = parseDuration(/^grant ?< ?(\S+)$/.exec(text)?.[1] ?? '') ?? 0;
  if (within > 0) return { condition: { kind: 'grant', within } };
  const silence = parseDuration(/^silent (\S+)$/.exec(text)?.[1] ?? '') ?? 0;
  if (silence >= shortestSilence) return { condition: { kind: 'silent' }, silence };
  return parseLines(text);
}

/** Parses a condition on lines: `errors` are those of `& level:error`. */
function parseLines(text: string): ParsedCondition | QueryProblem | undefined {
  const expression = /^pattern: *(\S.*)$/.exec(text)?.[1];
  if (expression !== undefined) return linesThatMatch(expression, true);
  const [, what = '', number, unit] = ratedLines.exec(text) ?? [];
  if (what === '') return undefined;
  const query = what === 'errors' ? 'level:error' : what.slice(1).trim();
  if (number === undefined) return linesThatMatch(query, false);
  return linesThatMatch(query, false, [Number(number), rateUnits[unit as keyof typeof rateUnits]]);
}

function linesThatMatch(
  text: string,
  regex: boolean,
  [more, within]: readonly [number, number] = [0, lineSpan],
): ParsedCondition | QueryProblem | undefined {
  const parsed = parseLineQuery({ text, regex });
  if (!parsed.ok) return regex ? undefined : parsed.error;
  if (!parsed.value.hasCriteria) return undefined;
  return { condition: { kind: 'lines', query: { text, regex }, more, within } };
}

function listOr(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.slice(-1).join('')}`;
}
