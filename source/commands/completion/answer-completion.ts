/** Answers the question of a shell's completion script. */
import type { CommandContext } from '../table/command-context.ts';
import { requestCandidates } from './request-candidates.ts';
import {
  type CompletedWord,
  type WantedCompletion,
  wantedCompletion,
} from './wanted-completion.ts';

/** Milliseconds until nothing more is waited for: somebody has pressed Tab. */
const patience = 2000;

/**
 * Prints what completes a command line: on the first line `words`, `parts` (no blank follows them),
 * `files` or `folders`, then a candidate a line. Prints nothing of any error.
 * @param argv behind the word: `bash LINE WORDBREAKS`, `zsh WORD...` or `fish WORD...`, where the
 * line ends at the cursor, and words are without quotes and begin with the program.
 */
export async function answerCompletion(
  argv: readonly string[],
  context: CommandContext,
): Promise<void> {
  const [shell = '', ...rest] = argv;
  const isBash = shell === 'bash';
  const line = isBash ? readShellLine(rest[0] ?? '') : undefined;
  const words = line?.words ?? rest.slice(0, -1);
  const typed = line?.typed ?? rest.at(-1) ?? '';
  const wanted = wantedCompletion(words.slice(1), typed, context.commands);
  if (wanted.kind === 'records' && wanted.completes.startsWith('local-')) {
    return print(context, [wanted.completes === 'local-file' ? 'files' : 'folders']);
  }
  const candidates =
    wanted.kind === 'candidates' ? wanted.candidates : await candidatesInTime(wanted, context);
  // A control character, a line end above all, would break the answer.
  const safe = candidates.filter(({ text }) => !/\p{Cc}/u.test(text));
  const isPart = safe.some((candidate) => candidate.isPart === true);
  const lines = safe.map((candidate) =>
    line === undefined ? describedLine(candidate, shell) : bashLine(candidate, line, rest[1] ?? ''),
  );
  const isFile = lines.length === 0 && wanted.kind === 'records' && wanted.mayBeFile;
  await print(context, isFile ? ['files'] : [isPart ? 'parts' : 'words', ...lines]);
}

async function print({ output }: CommandContext, lines: readonly string[]): Promise<void> {
  await output.write(`${lines.join('\n')}\n`);
}

function bashLine({ text }: CompletedWord, line: ShellLine, breaks: string): string {
  return behindBreak(quoteForBash(text, line.quote), line, breaks);
}

/** Returns a candidate with its description, as `_describe` of zsh or as fish reads it. */
function describedLine({ text, description }: CompletedWord, shell: string): string {
  const about = description.replaceAll(/\p{Cc}/gu, ' ');
  if (shell === 'fish') return about === '' ? text : `${text}\t${about}`;
  const word = text.replaceAll(/[\\:]/g, String.raw`\$&`);
  return about === '' ? word : `${word}:${about}`;
}

/** Resolves with no candidates where they take too long, or where anything fails. */
async function candidatesInTime(
  wanted: Extract<WantedCompletion, { kind: 'records' }>,
  context: CommandContext,
): Promise<readonly CompletedWord[]> {
  const none: readonly CompletedWord[] = [];
  const late = new AbortController();
  const signal = AbortSignal.any([context.signal, late.signal]);
  return await new Promise((resolve) => {
    const cancel = context.clock.after(patience, () => {
      late.abort();
      resolve(none);
    });
    requestCandidates(wanted, { ...context, signal })
      .then(resolve, () => resolve(none))
      .finally(cancel);
  });
}

/** Reads the beginning of a command line as bash does, and writes words for it. Pure. */

/** The words of a command line, whose last one is being typed. */
interface ShellLine {
  /** Whole words, without their quotes. */
  readonly words: readonly string[];
  /** Beginning of the last word, without its quotes; empty after a blank. */
  readonly typed: string;
  /** Quote that is open at the end; empty without one. */
  readonly quote: '' | "'" | '"';
  /** Last word as it was typed, with its quotes. */
  readonly raw: string;
}

/** Reads the command line up to the cursor; variables and commands in it stay as they are. */
export function readShellLine(line: string): ShellLine {
  const words: string[] = [];
  let typed = '';
  let quote: ShellLine['quote'] = '';
  let start: number | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote === '' && /\s/.test(character)) {
      if (start !== undefined) words.push(typed);
      [typed, start] = ['', undefined];
      continue;
    }
    start ??= at;
    if (quote === character) quote = '';
    else if (quote === '' && (character === "'" || character === '"')) quote = character;
    else if (character === '\\' && quote !== "'") {
      const next = line.charAt(at + 1);
      // Within double quotes a backslash is only special before these (POSIX, 2.2.3).
      const isSpecial = quote === '' || ['"', '\\', '$', '`'].includes(next);
      typed += isSpecial ? next : character + next;
      at += 1;
    } else typed += character;
  }
  return { words, typed, quote, raw: start === undefined ? '' : line.slice(start) };
}

/** Returns a word as it must be typed so that bash reads it as it is. */
export function quoteForBash(text: string, quote: ShellLine['quote']): string {
  if (quote === "'") return text.replaceAll("'", String.raw`'\''`);
  if (quote === '"') return text.replaceAll(/["\\$`]/g, String.raw`\$&`);
  // A tilde is a home folder where a word begins, and behind `name=` or `:` too.
  return text.replaceAll(/[^\p{L}\p{N}_./:=@%+,-]/gu, String.raw`\$&`);
}

/**
 * Returns the part of a completed word that bash replaces. Bash breaks words at further characters,
 * such as `:` and `=`, and completes only what follows the last one of the typed word.
 * @param written completed word, quoted.
 * @param breaks characters of COMP_WORDBREAKS.
 */
export function behindBreak(written: string, { raw, quote }: ShellLine, breaks: string): string {
  if (quote !== '') return written;
  const broken = new Set(breaks.replaceAll(/[\s"']/g, '').split(''));
  let last = -1;
  for (let at = 0; at < raw.length; at += 1) {
    if (raw.charAt(at) === '\\') at += 1;
    else if (broken.has(raw.charAt(at))) last = at;
  }
  const head = raw.slice(0, last + 1);
  return written.startsWith(head) ? written.slice(head.length) : written;
}
