import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { describeLocalError } from '../../client/local-reason.ts';
import { findPartRefusal } from '../../client/upload.ts';
import { groupByRequest } from '../../contract/exact-filename.ts';
import type { FileRecord } from '../../contract/files.ts';
import {
  CommandFailure,
  type CommandProblem,
  failureProblem,
  usageProblem,
} from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import { findService } from '../names/find-service.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { askToWrite, needsExactNames } from './ask-to-write.ts';
import {
  assertPath,
  fileIn,
  listPlace,
  placeProblem,
  type ServicePlace,
  servicePlaceOf,
} from './find-file.ts';
import { keepVersions, type KeptFile, localDigest } from './keep-versions.ts';
import { isListedFolder, listedState, pathState } from './path-state.ts';
import { assertRestartFlags, type RestartChoice } from './restart-flags.ts';
import { restartWritten } from './restart-written.ts';
import { withTemporaryFile } from './write-file-out.ts';
import { failedReport, type FileReport, fileReportView } from './file-report.ts';
import { claimPaths } from '../../store/files/path-clash.ts';

/** Uploads local files to a service and restarts its deployment. */
export async function putFiles(
  context: ServiceCommandContext,
  { args, flags }: CommandWords<RestartChoice>,
): Promise<ExitCode> {
  const { client, signal } = context;
  assertRestartFlags(flags);
  const [locals, text = ''] = [args.slice(0, -1), args.at(-1)];
  const finder = createDeploymentFinder(client, signal);
  const found = await findService(text, finder, {
    path: 'optional',
    needsExact: needsExactNames(context),
  });
  const place = servicePlaceOf(found);
  const listed = await listPlace(context, place);
  const target = found.path === '/' ? '' : (found.path ?? '');
  const planned = planPut({ locals, target, listed });
  const putFrom = (sourceOf: (local: string) => string): Promise<ExitCode> => {
    const items = planned.map(({ local, path: to }) => ({
      local,
      path: to,
      source: sourceOf(local),
    }));
    return put(context, { place, listed, items, flags });
  };
  return locals.includes('-')
    ? withTemporaryFile((file) => putFrom(() => file))
    : putFrom((local) => path.resolve(context.cwd, local));
}

/** Result of a file whose request was not sent because an earlier one failed. */
const notSent = 'not sent';

interface PutSource extends PutItem {
  /** Absolute path of the local file; for stdin that of the temporary file to write it to. */
  readonly source: string;
}

interface Put {
  readonly place: ServicePlace;
  readonly listed: readonly DecodedRecord<FileRecord>[];
  readonly items: readonly PutSource[];
  readonly flags: RestartChoice;
}

async function put(context: ServiceCommandContext, work: Put): Promise<ExitCode> {
  const { output, signal, options } = context;
  const { place, items, flags } = work;
  for (const item of items) {
    if (item.local === '-') continue;
    await assertUploadable(item, place);
    await assertSendable(item);
  }
  const replaced = new Set<string>();
  for (const item of items) {
    if ((await stateOf(context, work, item)) === 'file') replaced.add(item.path);
  }
  const paths = [...replaced];
  const question = questionOf(place, paths, items);
  await askToWrite(context, { places: [place], lost: paths, question });
  const [first] = items;
  if (first?.local === '-' && !options.dryRun) {
    await readStdin(context, first.source);
    await assertSendable(first);
  }
  const files: FileReport[] = [];
  for (const { path: to, source } of items) {
    const word = replaced.has(to) ? 'replaced' : 'uploaded';
    const result = options.dryRun ? `would be ${word}` : word;
    files.push({ target: fileIn(place, to), result, size: await sizeOf(source) });
  }
  if (options.dryRun) return output.list(files, fileReportView);
  if (signal.aborted) return exitCodes.failed;
  const beganAt = context.clock.now();
  const kept = await keepVersions(context, await keptFiles(work, replaced), flags);
  const { reports, problem } = await send(context, work, files);
  const written = reports.filter((report) => isWritten(report)).map(({ target }) => target);
  const exits: ExitCode[] = [];
  if (problem !== undefined) {
    if (written.length === 0 && problem.exit !== exitCodes.unknownOutcome) await kept();
    exits.push(output.fail(problem));
  }
  if (written.length > 0 || options.json) exits.push(await output.list(reports, fileReportView));
  if (written.length > 0) exits.push(await restartWritten(context, written, { ...flags, beganAt }));
  return worstExitCode(exits);
}

const isWritten = ({ problem, result }: FileReport): boolean =>
  problem === undefined && result !== notSent;

/**
 * Sends the files in as few requests as their names allow, and ends with the first that fails. Returns
 * what became of each, in their order.
 */
async function send(
  context: ServiceCommandContext,
  { place, items }: Put,
  files: readonly FileReport[],
): Promise<{ readonly reports: readonly FileReport[]; readonly problem?: CommandProblem }> {
  const { client, output, signal } = context;
  const total = files.reduce((sum, { size = 0 }) => sum + size, 0);
  const label = files.length === 1 ? (files[0]?.target.label ?? '') : `${files.length} files`;
  const onProgress = output.transfer(label, total);
  const reports = files.map((file) => ({ ...file, result: notSent }));
  const parts = items.map(({ path: to, source: file }, index) => ({
    path: to,
    source: { file },
    index,
  }));
  let before = 0;
  for (const group of groupByRequest(parts, (part) => part.path)) {
    const sent = await client.files.upload(place.deployment.id, place.service, group, {
      signal,
      onProgress: (bytes) => onProgress(before + bytes),
    });
    const problem = sent.ok ? undefined : placeProblem(context, place, sent.error);
    for (const { index } of group) {
      const { [index]: file } = files;
      if (file === undefined) continue;
      const { target, size = 0 } = file;
      before += size;
      reports[index] = problem === undefined ? file : failedReport(target, problem, { size });
    }
    if (problem !== undefined) return { reports, problem };
  }
  return { reports };
}

/** Returns the files that are replaced, each with the digest of its new content. */
async function keptFiles(
  { place, items, flags }: Put,
  replaced: ReadonlySet<string>,
): Promise<readonly KeptFile[]> {
  const files: KeptFile[] = [];
  for (const { path: to, source } of flags.prove ? items : []) {
    if (!replaced.has(to)) continue;
    const written = await localDigest(source, await sizeOf(source));
    files.push({ place, path: to, reason: 'replaced', written });
  }
  return files;
}

/** With `--yes`, what the list omits needs no request: nobody asks about it. */
async function stateOf(
  context: ServiceCommandContext,
  { place, listed }: Put,
  { path: to }: PutItem,
): ReturnType<typeof pathState> {
  const target = fileIn(place, to);
  return context.options.yes ? listedState(listed, target) : pathState(context, target, listed);
}

function questionOf(
  place: ServicePlace,
  replaced: readonly string[],
  items: readonly PutItem[],
): string {
  const [first, ...others] = replaced.length > 0 ? replaced : items.map(({ path: to }) => to);
  const what = others.length === 0 ? first : `${others.length + 1} files`;
  return replaced.length > 0
    ? `Replace ${what} of ${place.label}?`
    : `Upload ${what} to ${place.label}?`;
}

/** Rejects with a {@link CommandFailure} where a local file can't be uploaded. */
async function assertUploadable(
  { local, source }: PutSource,
  { label }: ServicePlace,
): Promise<void> {
  const found = await stat(source).catch((error: unknown) => {
    const sentence = `Can't read ${local}: ${describeLocalError(error)}.`;
    throw new CommandFailure(failureProblem(sentence, 'Nothing was sent.', 'local'));
  });
  if (found.isFile()) return;
  throw new CommandFailure(
    found.isDirectory()
      ? usageProblem(`${local} is a folder.`, `hostdeck files sync ${local} ${label} uploads it.`)
      : usageProblem(`${local} is not a regular file.`, '-: stdin.'),
  );
}

/** Rejects with a {@link CommandFailure} where a file can't be sent under its name in the service. */
async function assertSendable({ path: to, source }: PutSource): Promise<void> {
  const refusal = await findPartRefusal({ path: to, source: { file: source } });
  if (refusal === undefined) return;
  const { code, reason } = refusal;
  const sentence = `Can't upload ${to}: ${reason}.`;
  throw new CommandFailure(failureProblem(sentence, 'Nothing was sent.', code));
}

/** Writes stdin to a file, since the length of a part is sent before its content. */
async function readStdin({ stdin, signal }: ServiceCommandContext, file: string): Promise<void> {
  try {
    await pipeline(stdin(), createWriteStream(file, { mode: 0o600 }), { signal });
  } catch (error) {
    const sentence = `Can't read stdin: ${describeLocalError(error)}.`;
    const code = signal.aborted ? 'aborted' : 'local';
    throw new CommandFailure(failureProblem(sentence, 'Nothing was sent.', code));
  }
}

/** Returns the bytes of a file; undefined where it isn't there, which the upload reports. */
async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

/** A local file, `-` for stdin, and its path in the service. */
interface PutItem {
  readonly local: string;
  readonly path: string;
}

interface PutWords {
  readonly locals: readonly string[];
  /** Path of the target as typed; a trailing slash makes it a folder, and empty is the root. */
  readonly target: string;
  readonly listed: readonly DecodedRecord<FileRecord>[];
}

/**
 * Plans an upload. Throws a {@link CommandFailure} for several files without a folder, for stdin
 * without the path of a file, and for paths that clash or can't be requested.
 */
export function planPut({ locals, target, listed }: PutWords): readonly PutItem[] {
  const folder = target.replace(/\/$/, '');
  const isFolder = folder !== target || folder === '' || isListedFolder(listed, folder);
  if (locals.includes('-')) {
    if (locals.length > 1) throw failed('stdin (-) goes to one file alone.');
    if (isFolder) {
      throw failed(`${shownFolder(folder)} is a folder, and stdin (-) has no name.`, namedNext);
    }
  }
  if (locals.length > 1 && !isFolder) {
    throw failed(`Several files need a folder, and ${target} is none.`, `For example: ${target}/`);
  }
  const claim = claimPaths((each) => each);
  const items: PutItem[] = [];
  for (const local of locals) {
    const name = path.basename(path.resolve(local));
    const to = !isFolder ? target : folder === '' ? name : `${folder}/${name}`;
    assertPath(to);
    const clash = claim(to);
    if (clash !== undefined) throw failed(`${local} can't go to ${to}: ${clash}.`);
    items.push({ local, path: to });
  }
  return items;
}

const namedNext = 'Give the path of a file.';

function shownFolder(folder: string): string {
  return folder === '' ? 'The target' : folder;
}

function failed(sentence: string, next = ''): CommandFailure {
  return new CommandFailure(usageProblem(sentence, next));
}
