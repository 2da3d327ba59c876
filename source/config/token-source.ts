/** Reads access tokens from variables, files and commands. */
// A start without a token file must not load `node:fs/promises`, which takes milliseconds.
import fs from 'node:fs';
import type { ConfiguredProfile } from './config-file.ts';
import { configProblem, type Configured, nonEmpty } from './environment.ts';

/** The variables that give a token, the first one that is set. */
const tokenVariables = ['HOSTDECK_TOKEN', 'HOSTDECK_TOKEN_FILE', 'HOSTDECK_TOKEN_COMMAND'] as const;

export interface SourcedToken {
  readonly token: string;
  /** The variable or the key of the profile that the token came from, for messages. */
  readonly source: string;
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
 * Reads the token of a profile; undefined for a profile without a source. Only the owner may read
 * the file: whoever else can read it can use the service.
 */
export async function readProfileToken({
  name,
  token,
}: Pick<ConfiguredProfile, 'name' | 'token'>): Promise<Configured<SourcedToken | undefined>> {
  if (token === undefined) return { ok: true, value: undefined };
  if (token.kind === 'command') {
    const subject = `the token of tokenCommand, profile ${name}`;
    const words = { source: 'tokenCommand', subject, next: 'Run the command by hand.' };
    return readToken(words, () => run(token.command));
  }
  const mode = await modeOf(token.path);
  if (mode !== undefined && (mode & 0o077) !== 0) {
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    return configProblem(
      `Other users may open ${token.path} (mode ${shown}), the tokenFile of ${name}.`,
      `Run: chmod 600 ${shellWord(token.path)}`,
    );
  }
  const subject = `the tokenFile of ${name}`;
  const words = { source: 'tokenFile', subject, next: `Write the token into ${token.path}.` };
  return readToken(words, () => fs.promises.readFile(token.path, 'utf8'));
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
  const { runTokenCommand } = await import('./token-command.ts');
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
