/** Reads access tokens from variables, files and commands. */
// A start without a token file must not load `node:fs/promises`, which takes milliseconds.
import fs from 'node:fs';
import path from 'node:path';
import type { ProfileToken } from './config-file.ts';
import { configProblem, type Configured, nonEmpty } from './environment.ts';
import { lazyPart } from '../system/lazy-part.ts';

const tokenCommand = lazyPart(() => import('./token-command.ts'));

/** The variables that give a token, the first one that is set. */
export const tokenVariables = [
  'HOSTDECK_TOKEN',
  'HOSTDECK_TOKEN_FILE',
  'HOSTDECK_TOKEN_COMMAND',
] as const;

export interface SourcedToken {
  /** Empty where there is none yet, so that the console asks for one. */
  readonly token: string;
  /** The variable, the key of the profile or the file that it came from; empty without a token. */
  readonly source: string;
}

const noToken: SourcedToken = { token: '', source: '' };

/**
 * Returns the file of a token that was typed into the console: one for each profile without a source
 * of its own, and for each base URL without a profile. The base URL is part of its name, so that a
 * token is never sent to another one that the profile gets later.
 */
export function storedTokenFile(configFolder: string, baseUrl: string, profile?: string): string {
  const owner = profile === undefined ? baseUrl : `${profile}@${baseUrl}`;
  return path.join(configFolder, 'tokens', encodeURIComponent(owner));
}

/** Reads a token that was typed into the console; {@link noToken} where none was stored. */
export async function readStoredToken(file: string): Promise<Configured<SourcedToken>> {
  const mode = await modeOf(file);
  if (mode === undefined) return { ok: true, value: noToken };
  const refusal = exposedFile(file, mode, 'a stored token');
  if (refusal !== undefined) return refusal;
  const next = `Remove ${file}, and enter the token again with :token.`;
  const words = { source: file, subject: 'the stored token', next };
  return readToken(words, () => fs.promises.readFile(file, 'utf8'));
}

/** Returns the first variable with a token that is set. */
export function tokenVariable(env: NodeJS.ProcessEnv): string | undefined {
  return tokenVariables.find((name) => nonEmpty(env[name]?.trim()) !== undefined);
}

/** Reads the token of the variables; undefined where none is set. */
export async function readVariableToken(
  env: NodeJS.ProcessEnv,
): Promise<Configured<SourcedToken | undefined>> {
  const token = nonEmpty(env['HOSTDECK_TOKEN']?.trim());
  if (token !== undefined) return { ok: true, value: { token, source: 'HOSTDECK_TOKEN' } };
  const file = nonEmpty(env['HOSTDECK_TOKEN_FILE']);
  if (file !== undefined) {
    return readToken(variable('HOSTDECK_TOKEN_FILE'), () => fs.promises.readFile(file, 'utf8'));
  }
  const command = nonEmpty(env['HOSTDECK_TOKEN_COMMAND']);
  if (command === undefined) return { ok: true, value: undefined };
  return readToken(variable('HOSTDECK_TOKEN_COMMAND'), () => run(command));
}

function variable(source: string): TokenWords {
  return { source, subject: `the token of ${source}`, next: 'Check the variable.' };
}

/**
 * Reads the token of a profile from its source. Only the owner may read a file: whoever else can read
 * it can use the service.
 */
export async function readProfileToken(
  name: string,
  token: ProfileToken,
): Promise<Configured<SourcedToken>> {
  if (token.kind === 'command') {
    const subject = `the token of tokenCommand, profile ${name}`;
    const words = { source: 'tokenCommand', subject, next: 'Run the command by hand.' };
    return readToken(words, () => run(token.command));
  }
  const refusal = exposedFile(token.path, await modeOf(token.path), `the tokenFile of ${name}`);
  if (refusal !== undefined) return refusal;
  const subject = `the tokenFile of ${name}`;
  const words = { source: 'tokenFile', subject, next: `Write the token into ${token.path}.` };
  return readToken(words, () => fs.promises.readFile(token.path, 'utf8'));
}

/** Returns the problem of a file that others than its owner may open. */
function exposedFile(file: string, mode: number | undefined, what: string) {
  if (mode === undefined || (mode & 0o077) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return configProblem(
    `Other users may open ${file} (mode ${shown}), ${what}.`,
    `Run: chmod 600 ${shellWord(file)}`,
  );
}

/** Resolves with the mode of a file; undefined where it can't be read, which reading it will word. */
async function modeOf(file: string): Promise<number | undefined> {
  try {
    return (await fs.promises.stat(file)).mode;
  } catch {
    return undefined;
  }
}

async function run(command: string): Promise<string> {
  const { runTokenCommand } = await tokenCommand();
  return runTokenCommand(command);
}

/** The words about one token source. */
interface TokenWords {
  readonly source: string;
  /** Name of the source within a sentence. */
  readonly subject: string;
  readonly next: string;
}

async function readToken(
  { source, subject, next }: TokenWords,
  read: () => Promise<string>,
): Promise<Configured<SourcedToken>> {
  try {
    const token = (await read()).trim();
    return token === ''
      ? configProblem(`${capitalised(subject)} is empty.`, next)
      : { ok: true, value: { token, source } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return configProblem(`Can't read ${subject}${code}.`, next);
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a path as one word of a shell command. */
function shellWord(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`;
}
