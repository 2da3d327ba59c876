import { readFileSync, writeFileSync } from 'node:fs';

/** A step of a walk, and all that is said on it; a heading, after which nothing is said. */
export interface Spoken {
  readonly step: string;
  readonly said: string;
}

const fileOf = (walk: string) =>
  new URL(`../../fixtures/screens/walks/${walk}-spoken.txt`, import.meta.url);

/** Starts each line that is said. */
const indent = '  ';

/** Ends a line that is not over: what is said next follows on it. */
const open = '\\';

/** Reads what is said on a walk. */
export function readSpeech(walk: string): readonly Spoken[] {
  const lines = readFileSync(fileOf(walk), 'utf8').replace(/\n$/, '').split('\n');
  const steps: { step: string; said: string }[] = [];
  for (const line of lines) {
    const last = steps.at(-1);
    const isSaid = line === '' || line.startsWith(indent);
    if (!isSaid) steps.push({ step: line, said: '' });
    else if (last !== undefined) last.said += fromLine(line.slice(indent.length));
  }
  return steps;
}

export function writeSpeech(walk: string, steps: readonly Spoken[]): void {
  const lines = steps.flatMap(({ step, said }) => [step, ...toLines(said)]);
  writeFileSync(fileOf(walk), `${lines.join('\n')}\n`);
}

function fromLine(line: string): string {
  return line.endsWith(open) ? line.slice(0, -open.length) : `${line}\n`;
}

function toLines(said: string): readonly string[] {
  const lines = said.split('\n');
  const last = lines.pop() ?? '';
  const whole = last === '' ? lines : [...lines, last + open];
  return whole.map((line) => (line === '' ? '' : indent + line));
}
