import type { LogId, LogLine } from '../../contract/logs.ts';
import { sourceOf } from '../../tail/log-source.ts';

/**
 * A line as text: `timestamp service  line`, the service with the number of its instance where there
 * are several. What the service did not say is a `-`, so that the columns stay where they are. All is
 * kept as it came, escape sequences included: what may reach a terminal is for the reader of the pipe
 * to decide. Only a line break in any of it is written as `\n`, because it would pass for two lines.
 */
export function textLine(line: LogLine): string {
  const text = `${line.timestamp ?? '-'} ${sourceOf(line) ?? '-'}  ${line.logLine}`;
  return `${text.replaceAll('\n', String.raw`\n`)}\n`;
}

/**
 * A line as the stream's message (contract, part 2), all of its fields in the contract's order. Those
 * that the service did not say are null; the instance stands behind them where there are several. The
 * id keeps its digits, which JSON.stringify would not.
 */
export function jsonLine(line: LogLine, deploymentId: string): string {
  const fields: readonly (readonly [string, string | LogId | undefined])[] = [
    ['type', 'log'],
    ['id', line.id],
    ['deploymentId', line.deploymentId ?? deploymentId],
    ['serviceName', line.serviceName],
    ['timestamp', line.timestamp],
    ['logLine', line.logLine],
    ['stream', line.stream],
    ...(line.instance === undefined ? [] : [['instance', line.instance] as const]),
  ];
  const members = fields.map(([name, value]) => `"${name}":${jsonValue(value)}`);
  return `{${members.join(',')}}\n`;
}

function jsonValue(value: string | LogId | undefined): string {
  if (value === undefined) return 'null';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
