import type { LogId, LogLine } from '../../contract/logs.ts';

/**
 * Formats a line as text: `timestamp service  line`, with the number of the instance after the
 * service if it has several. A missing field is `-`, so that the columns stay aligned. Everything
 * else is unchanged, escape sequences included: the reader of the pipe decides what may reach a
 * terminal. Only a line break inside a field becomes `\n`, because it would start a second line.
 */
export function formatTextLine(line: LogLine): string {
  const text = `${line.timestamp ?? '-'} ${sourceText(line) ?? '-'}  ${line.logLine}`;
  return `${oneLineText(text)}\n`;
}

/** Returns a text with its line breaks written as `\n`. */
export function oneLineText(text: string): string {
  return text.replaceAll('\n', String.raw`\n`);
}

/**
 * Formats a line as a message of the stream (contract, part 2), with the fields in the contract's
 * order. A missing field is null; the instance follows if there are several, and `partial` where the
 * line was cut. The id keeps all its digits, which JSON.stringify would round.
 */
export function formatJsonLine(line: LogLine, deploymentId: string): string {
  const fields: readonly (readonly [string, string | LogId | boolean | undefined])[] = [
    ['type', 'log'],
    ['id', line.id],
    ['deploymentId', line.deploymentId ?? deploymentId],
    ['serviceName', line.serviceName],
    ['timestamp', line.timestamp],
    ['logLine', line.logLine],
    ['stream', line.stream],
    ...(line.instance === undefined ? [] : [['instance', line.instance] as const]),
    ...(line.partial === true ? [['partial', true] as const] : []),
  ];
  const fieldTexts = fields.map(([name, value]) => `"${name}":${jsonValue(value)}`);
  return `{${fieldTexts.join(',')}}\n`;
}

function jsonValue(value: string | LogId | boolean | undefined): string {
  if (value === undefined) return 'null';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Returns the source of a line: its service and, if known, its instance, as in `worker 2`. */
export function sourceText({ serviceName, instance }: LogLine): string | undefined {
  if (serviceName === undefined || instance === undefined) return serviceName;
  return `${serviceName} ${instance}`;
}
