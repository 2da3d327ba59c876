import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A log as a program writes it. */
export interface RealLog {
  readonly name: string;
  readonly path: string;
  /** Its lines as anyone has to show them: bytes that are no UTF-8 are U+FFFD. */
  readonly lines: readonly string[];
}

const folder = path.resolve(import.meta.dirname, '../fixtures/logs');

/** Syslog, nginx, JSON, Java traces, colours, CJK, progress bars, broken UTF-8. */
export const realLogs: readonly RealLog[] = readdirSync(folder).map((file) => {
  const whole = readFileSync(path.join(folder, file), 'utf8').trimEnd();
  const name = path.basename(file, '.log');
  return { name, path: path.join(folder, file), lines: whole.split(/\r?\n/) };
});

/** The lines of one of them. */
export function realLog(name: string): readonly string[] {
  const found = realLogs.find((log) => log.name === name);
  if (found === undefined) throw new Error(`no log ${name}`);
  return found.lines;
}

/** A line of a mebibyte and a bit, with something to be found at its end. */
export const longLine = `begin ${'0123456789abcdef'.repeat(65_536)} 終 end`;
