/** Reads the records of an incident file from untrusted fields; undefined where one can't be read. */
import type { LogId, LogLine } from '../../contract/logs.ts';
import { type Fields, fieldsOf, isOneOf, numberField, textField, wholeField } from './fields.ts';
import type {
  IncidentEdit,
  IncidentFile,
  IncidentHeader,
  IncidentHistory,
  IncidentRestart,
} from './incident.ts';
import type { MaskedCounts } from './masker.ts';

export function readHeader(fields: Fields): IncidentHeader | undefined {
  const { hostdeck, madeAt, from, to, timeZone, clockOffset, baseUrl } = fields;
  const { profile, deploymentId, deploymentName } = fields;
  const times = [madeAt, from, to].map((time) => textField(time) ?? '');
  if (times.some((time) => Number.isNaN(Date.parse(time)))) return undefined;
  const id = textField(deploymentId);
  if (id === undefined || id === '') return undefined;
  return {
    hostdeck: textField(hostdeck) ?? '',
    madeAt: times[0] ?? '',
    from: times[1] ?? '',
    to: times[2] ?? '',
    timeZone: textField(timeZone) ?? '',
    clockOffset: numberField(clockOffset) ?? 0,
    baseUrl: textField(baseUrl) ?? '',
    profile: textField(profile) ?? '',
    deploymentId: id,
    ...optional('deploymentName', textField(deploymentName)),
  };
}

export function readMasked(fields: Fields): MaskedCounts {
  const counts = Array.isArray(fields['counts']) ? fields['counts'] : [];
  return {
    secrets: wholeField(fields['secrets']) ?? 0,
    counts: counts.flatMap((one: unknown) => {
      const { rule, place, count } = fieldsOf(one) ?? {};
      const [ruleText, placeText, times] = [textField(rule), textField(place), wholeField(count)];
      if (ruleText === undefined || placeText === undefined || times === undefined) return [];
      // A later version may have further rules and places; they are only shown.
      return [{ rule: ruleText, place: placeText, count: times } as MaskedCounts['counts'][number]];
    }),
  };
}

export function readFile(fields: Fields): IncidentFile | undefined {
  const [service, path] = [textField(fields['service']), textField(fields['path'])];
  if (service === undefined || path === undefined) return undefined;
  return {
    service,
    path,
    ...optional('size', wholeField(fields['size'])),
    ...optional('modifiedAt', textField(fields['modifiedAt'])),
    ...(fields['directory'] === true && { directory: true }),
  };
}

const reasons = ['deleted', 'replaced', 'saved', 'discarded', 'moved'] as const;

export function readEdit(fields: Fields): IncidentEdit | undefined {
  const [at, service, path] = [
    numberField(fields['at']),
    textField(fields['service']),
    textField(fields['path']),
  ];
  const { reason } = fields;
  if (at === undefined || service === undefined || path === undefined) return undefined;
  if (!isOneOf(reasons, reason)) return undefined;
  return {
    at,
    service,
    path,
    reason,
    ...optional('movedTo', textField(fields['movedTo'])),
    ...optional('diff', textField(fields['diff'])),
  };
}

export function readRestart(fields: Fields): IncidentRestart | undefined {
  const at = numberField(fields['at']);
  if (at === undefined) return undefined;
  const { kind, sentence } = fieldsOf(fields['verdict']) ?? {};
  const hasVerdict = typeof kind === 'string' && typeof sentence === 'string';
  return {
    at,
    isReported: fields['isReported'] === true,
    ...(hasVerdict && { verdict: { kind, sentence } }),
  };
}

const tones = ['plain', 'good', 'bad'] as const;
const outcomes = ['failed', 'unknown'] as const;

export function readHistory(fields: Fields): IncidentHistory | undefined {
  const at = numberField(fields['at']);
  if (at === undefined) return undefined;
  if (fields['kind'] === 'message') {
    const message = textField(fields['text']);
    if (message === undefined) return undefined;
    const tone = isOneOf(tones, fields['tone']) ? fields['tone'] : 'plain';
    return { kind: 'message', at, text: message, tone, times: wholeField(fields['times']) ?? 1 };
  }
  const { operation, subject, request, size, took } = fields;
  const [title, target, path] = [textField(operation), textField(subject), textField(request)];
  if (title === undefined || target === undefined || path === undefined) return undefined;
  return {
    kind: 'write',
    at,
    operation: title,
    subject: target,
    request: path,
    ...optional('size', wholeField(size)),
    took: numberField(took),
    outcome: readOutcome(fieldsOf(fields['outcome']) ?? {}),
  };
}

function readOutcome(fields: Fields): Extract<IncidentHistory, { kind: 'write' }>['outcome'] {
  const status = optional('status', wholeField(fields['status']));
  if (fields['kind'] === 'done') return { kind: 'done', ...status };
  if (!isOneOf(outcomes, fields['kind'])) return { kind: 'sending' };
  return {
    kind: fields['kind'],
    ...status,
    sentence: textField(fields['sentence']) ?? '',
    ...optional('said', textField(fields['said'])),
  };
}

export function readLine(fields: Fields): LogLine | undefined {
  const logLine = textField(fields['logLine']);
  if (logLine === undefined) return undefined;
  return {
    ...optional('id', logId(fields['id'])),
    ...optional('deploymentId', textField(fields['deploymentId'])),
    ...optional('serviceName', textField(fields['serviceName'])),
    ...optional('timestamp', textField(fields['timestamp'])),
    logLine,
    ...optional('stream', textField(fields['stream'])),
    ...optional('instance', wholeField(fields['instance'])),
  };
}

function logId(value: unknown): LogId | undefined {
  if (typeof value === 'string' && /^\d{1,39}$/.test(value)) {
    const id = BigInt(value);
    return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id;
  }
  return wholeField(value);
}

function optional<Name extends string, T>(
  name: Name,
  value: T | undefined,
): { readonly [Key in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: T };
}
