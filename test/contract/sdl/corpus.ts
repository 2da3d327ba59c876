/** Reads the corpus of SDLs and formats the outcome of parsing one. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { formatDecimal } from '../../../source/contract/decimal.ts';
import type {
  ExposedPort,
  ServiceDefinition,
  VolumeDefinition,
} from '../../../source/contract/sdl/definition.ts';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { summariseSdl } from '../../../source/contract/sdl/reading.ts';

/** A definition of the corpus with its expected outcome. */
export interface Case {
  readonly title: string;
  readonly text: string;
  readonly outcome: readonly string[];
}

const folder = path.join(import.meta.dirname, 'corpus');

/**
 * Returns the cases of all files of the corpus. A case starts with `=== title`, continues with the
 * definition, and ends with its outcome in lines that start with `=> `. Lines count from the one
 * after the title.
 */
export function readCorpus(): readonly (readonly [file: string, cases: readonly Case[]])[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => [name, readCases(readFileSync(path.join(folder, name), 'utf8'))] as const);
}

function readCases(file: string): readonly Case[] {
  return file
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trimEnd().split('\n');
      const isOutcome = (line: string) => line.startsWith('=> ');
      return {
        title,
        text: `${lines.filter((line) => !isOutcome(line)).join('\n')}\n`,
        outcome: lines.filter(isOutcome).map((line) => line.slice(3)),
      };
    });
}

/** Returns the outcome of a definition: its services, price and parts, and its problems. */
export function outcomeOf(text: string): readonly string[] {
  const parsed = parseSdl(text);
  const problems = summariseSdl(text).problems.map(
    ({ isWarning, line, column, sentence }) =>
      `${isWarning ? 'warning' : 'mistake'} ${line}:${column} ${sentence.replaceAll('\0', String.raw`\0`)}`,
  );
  if (!parsed.ok) return problems;
  const { services, price, parts } = parsed.definition;
  return [
    ...services.map(formatService),
    ...(price === 0n ? [] : [`price ${formatDecimal(price)}`]),
    ...parts.map(({ name, line, column }) => `part ${line}:${column} ${name}`),
    ...problems,
  ];
}

function formatService(service: ServiceDefinition): string {
  const { name, count, image, command, args, env, expose, dependsOn, volumes = [] } = service;
  const words = [...command, ...args];
  return [
    `${count} ${name}`,
    ...(image === undefined ? [] : [`image ${image}`]),
    ...(words.length === 0 ? [] : [`runs ${JSON.stringify(words)}`]),
    ...(Object.keys(env).length === 0 ? [] : [`env ${JSON.stringify(env)}`]),
    ...expose.map(formatPort),
    ...volumes.map(formatVolume),
    ...(dependsOn.length === 0 ? [] : [`behind ${dependsOn.join(' ')}`]),
  ].join('; ');
}

function formatVolume({ name, mount, readOnly, kind, size }: VolumeDefinition): string {
  const bytes = size === undefined ? '' : ` of ${size} bytes`;
  return `${readOnly ? 'read-only ' : ''}${kind} volume ${name}${bytes} at ${mount}`;
}

function formatPort({ port, as, proto, global, services }: ExposedPort): string {
  const outside = as === undefined ? '' : ` as ${as}`;
  const to = [...(global ? ['all'] : []), ...services].join(' ');
  return `${proto} ${port}${outside}${to === '' ? '' : ` to ${to}`}`;
}
