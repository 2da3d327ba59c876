/** Reads the alert rules and the quiet hours of the configuration file. */
import { mostRuleLogs } from '../contract/rule-logs.ts';
import type { AlertRule, AlertSettings, LogRule, RuleAction } from '../store/alert-rules/rule.ts';
import type { QuietHours } from '../store/alert-rules/quiet-hours.ts';
import { conditionForms, parseCondition } from './alert-condition.ts';
import type { ConfigField, ConfigReader } from './config-reader.ts';

/** Keys that hold them, in a profile and at the top of the file. */
export const alertKeys = ['alerts', 'quiet'] as const;

const ruleKeys = ['when', 'deployments', 'do'] as const;

const noRules: readonly AlertRule[] = [];

/** Reads the rules and quiet hours among the fields of a map. */
export function readAlerts(
  reader: ConfigReader,
  fields: ReadonlyMap<string, ConfigField>,
): AlertSettings {
  const list = fields.get('alerts');
  const quiet = reader.value(fields.get('quiet'), quietForm, parseQuietHours);
  return { rules: list === undefined ? undefined : readRules(reader, list), quiet };
}

function readRules(reader: ConfigReader, list: ConfigField): readonly AlertRule[] {
  const logs = new Set<string>();
  return reader
    .items(list, 'a list of rules, like [{ when: crash, do: bell }]')
    .flatMap((item) => readRule(reader, item, logs) ?? noRules);
}

/** @param logs deployments whose logs earlier rules read; those of this one are added. */
function readRule(
  reader: ConfigReader,
  item: ConfigField,
  logs: Set<string>,
): AlertRule | undefined {
  const fields = reader.fields(item, { known: ruleKeys, required: ['when'] });
  let when = '';
  const condition = reader.value(fields.get('when'), listOr(conditionForms), (text) => {
    when = text.trim();
    return parseCondition(text);
  });
  const action =
    reader.value<RuleAction>(fields.get('do'), 'bell or notify', (text) =>
      text === 'bell' || text === 'notify' ? text : undefined,
    ) ?? 'bell';
  const named = fields.get('deployments');
  const expected = 'a name or a list of names, like [shop, ledger]';
  const deployments = named === undefined ? [] : (reader.texts(named, expected) ?? []);
  if (condition === undefined) return undefined;
  const text = { when, action, deployments };
  switch (condition.kind) {
    case 'alert':
    case 'grant':
      if (named !== undefined && condition.scope !== 'deployments') {
        reader.refuse(named, `${when} is not about deployments.`, 'Remove deployments here.');
        return undefined;
      }
      return { ...text, condition };
    case 'errors':
    case 'pattern':
    case 'silent':
      return checkLogs(reader, { ...text, condition }, named ?? item, logs);
  }
}

/** Returns a rule on log lines if its deployments are right. @param field the place of a mistake. */
function checkLogs(
  reader: ConfigReader,
  rule: LogRule,
  field: ConfigField,
  logs: Set<string>,
): LogRule | undefined {
  const { deployments } = rule;
  if (deployments.length === 0) {
    const sentence = 'A rule on log lines must name the deployments whose logs it reads.';
    reader.refuse(field, sentence, 'Add deployments, like [shop, ledger].');
    return undefined;
  }
  const before = logs.size;
  for (const name of deployments) logs.add(name);
  if (logs.size <= mostRuleLogs) return rule;
  if (before > mostRuleLogs) return undefined;
  reader.refuse(
    field,
    `Rules on log lines name ${logs.size} deployments here.`,
    `They must be at most ${mostRuleLogs}, as each of them is a stream.`,
  );
  return undefined;
}

const quietForm = 'hours like 22:00-07:00, which end later than they begin or on the next day';

/** Returns quiet hours; undefined for a text in another form, or without a minute. */
function parseQuietHours(text: string): QuietHours | undefined {
  const [, from = '', to = ''] = /^(\d{1,2}:\d\d) ?- ?(\d{1,2}:\d\d)$/.exec(text.trim()) ?? [];
  const [first, last] = [minuteOf(from), minuteOf(to)];
  if (first === undefined || last === undefined || first === last) return undefined;
  return { from: first, to: last };
}

/** Returns the minute of the day; 24:00 is the end of the day. */
function minuteOf(text: string): number | undefined {
  const [, hours = '', minutes = ''] = /^(\d+):(\d+)$/.exec(text) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return hours === '' || Number(minutes) > 59 || minute > 1440 ? undefined : minute % 1440;
}

function listOr(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.slice(-1).join('')}`;
}
