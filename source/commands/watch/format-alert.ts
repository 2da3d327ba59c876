/** Writes an alert as a line: text for people, or an object for programs. */
import type { RuleAlert } from '../../store/alert-rules/rule-alert.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';

/** Most characters of a log line in a text; JSON has all of it. */
const mostCharacters = 500;

/** Returns the line of an alert, with its end. */
export function formatAlert(alert: RuleAlert, isJson: boolean): string {
  return isJson ? `${JSON.stringify(alertJson(alert))}\n` : `${alertText(alert)}\n`;
}

function alertText({ at, sentence, line, isHeld }: RuleAlert): string {
  const since = isHeld ? ' (since the quiet hours)' : '';
  const quoted = line === undefined ? '' : ` ${line.slice(0, mostCharacters)}`;
  return sanitize(`${new Date(at).toISOString()} ${sentence}${since}${quoted}`, { tab: 1 });
}

function alertJson({ rule, at, sentence, deployment, grant, line, isHeld }: RuleAlert) {
  return {
    at: new Date(at).toISOString(),
    when: rule.when,
    sentence,
    ...(deployment !== undefined && {
      deployment: { id: deployment.id, name: deployment.name },
    }),
    ...(grant !== undefined && { grant: { id: grant.id } }),
    ...(line !== undefined && { line }),
    ...(isHeld && { held: true }),
  };
}
