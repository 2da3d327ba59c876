/** Answers the question of a shell's completion script. */
import type { CommandContext } from '../table/command-context.ts';
import { requestCandidates } from './request-candidates.ts';
import { behindBreak, quoteForBash, readShellLine, type ShellLine } from './shell-line.ts';
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
