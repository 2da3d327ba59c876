import { styleText } from 'node:util';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../../client/file-content.ts';
import { countChangedLines, diffTexts } from '../../editor/diff.ts';
import { type UnifiedLine, unifiedDifference } from '../../editor/unified-diff.ts';
import { ambiguousContent } from '../../store/files/trashing.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { RecordView } from '../output/record-view.ts';
import type { ServiceCommandContext, CommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { type FileTarget, findFile, getFile, targetJson } from './find-file.ts';
import { describeLocalError } from '../../client/local-reason.ts';
import { CommandFailure, failureProblem } from '../command-problem.ts';

/** A comparison of a local file with a file of a service. */
interface ComparedFiles {
  readonly local: string;
  readonly target: FileTarget;
  readonly isSame: boolean;
  /** The texts, from the local file to the other; undefined where one of them is binary. */
  readonly texts: { readonly before: string; readonly after: string } | undefined;
}

/** Prints the difference from a local file to a file of a service. */
export async function printDifference(
  context: ServiceCommandContext,
  { args: [local = '', text = ''], flags }: CommandWords<{ readonly 'exit-code': boolean }>,
): Promise<ExitCode> {
  const { client, output, signal, options } = context;
  const target = await findFile(text, createDeploymentFinder(client, signal));
  const bytes = await readLocalBytes(local, context);
  const remote = await getFile(context, target);
  if (remote.certainty === 'ambiguous') output.note(ambiguousContent);
  const isSame = Buffer.compare(bytes, remote.bytes) === 0;
  const [before, after] = [decodeText(bytes), remote.text];
  const texts = before === undefined || after === undefined ? undefined : { before, after };
  const compared: ComparedFiles = { local, target, isSame, texts };
  if (options.json) {
    const printed = await output.record(compared, comparedView);
    if (printed !== exitCodes.done) return printed;
  } else if (!isSame && !options.quiet) await writeDifference(context, compared);
  return !isSame && flags['exit-code'] ? exitCodes.failed : exitCodes.done;
}

/** Lines of a difference that are written at once. */
const batch = 1000;

async function writeDifference(
  { output, isTerminal, stdout }: ServiceCommandContext,
  { local, target, texts }: ComparedFiles,
): Promise<void> {
  if (texts === undefined) {
    await output.write(`Binary files ${sanitize(local)} and ${sanitize(target.label)} differ\n`);
    return;
  }
  const lines: readonly UnifiedLine[] = [
    { kind: 'head', text: `--- ${fileName(local)}` },
    { kind: 'head', text: `+++ ${fileName(target.label)}` },
    ...unifiedDifference(texts.before, texts.after),
  ];
  const draw = ({ kind, text }: UnifiedLine): string => {
    if (!isTerminal) return text;
    const safe = sanitize(text, { tab: 'keep' });
    const colour = colours[kind];
    return colour === undefined ? safe : styleText(colour, safe, { stream: stdout });
  };
  for (let at = 0; at < lines.length; at += batch) {
    const piece = lines.slice(at, at + batch).map((line) => `${draw(line)}\n`);
    if (!(await output.write(piece.join('')))) return;
  }
}

const colours: Readonly<Record<UnifiedLine['kind'], 'cyan' | 'red' | 'green' | undefined>> = {
  head: 'cyan',
  removed: 'red',
  added: 'green',
  same: undefined,
  mark: undefined,
};

/** Returns a name on one line; a tab ends the name for programs that read differences. */
function fileName(name: string): string {
  return sanitize(name).includes(' ') ? `${sanitize(name)}\t` : sanitize(name);
}

const comparedView: RecordView<ComparedFiles> = {
  columns: [{ title: 'RESULT', value: ({ isSame }) => (isSame ? 'same' : 'different') }],
  fields: [
    'local',
    'id',
    'service',
    'path',
    'result',
    'isBinary',
    'added',
    'removed',
    'difference',
  ],
  json: ({ local, target, isSame, texts }) => ({
    local,
    ...targetJson(target),
    result: isSame ? 'same' : 'different',
    isBinary: texts === undefined,
    ...(texts !== undefined && {
      ...countChangedLines(diffTexts(texts.before, texts.after)),
      difference: unifiedDifference(texts.before, texts.after)
        .map(({ text }) => `${text}\n`)
        .join(''),
    }),
  }),
  id: ({ target }) => target.label,
};

/** Largest local file that is read into memory, as large as the largest answer of a service. */
const largest = 64 * 2 ** 20;

/** Reads a local file, a pipe, or stdin for `-`. Rejects with a {@link CommandFailure}. */
async function readLocalBytes(
  given: string,
  { cwd, stdin }: Pick<CommandContext, 'cwd' | 'stdin'>,
): Promise<Buffer> {
  const name = given === '-' ? 'stdin' : given;
  const failed = (reason: string) =>
    new CommandFailure(failureProblem(`Can't read ${name}: ${reason}.`, '', 'local'));
  try {
    const file = path.resolve(cwd, given);
    if (given !== '-' && (await stat(file)).isDirectory()) throw failed('it is a folder');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of given === '-' ? stdin() : createReadStream(file)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > largest) throw failed('it is larger than 64 MiB');
    }
    return Buffer.concat(chunks, size);
  } catch (error) {
    throw error instanceof CommandFailure ? error : failed(describeLocalError(error));
  }
}
