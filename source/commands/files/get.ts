import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { placeNewFile } from '../../disk/begin-file.ts';
import type { SavedFile } from '../../client/download.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { ambiguousContent } from '../../store/files/trashing.ts';
import {
  CommandFailure,
  failureProblem,
  requestedValue,
  usageProblem,
} from '../command-problem.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { RecordView } from '../output/record-view.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { fileProblem, type FileTarget, findFile, targetJson } from './find-file.ts';
import { findLocalTarget } from './local-target.ts';
import { writeFileOut } from './write-file-out.ts';

/** Saves a file of a service as a local file, or writes it to stdout. */
export async function saveFile(
  context: ServiceCommandContext,
  { args: [text = '', local] }: CommandWords,
): Promise<ExitCode> {
  const { client, output, signal, confirm, options, cwd, isTerminal } = context;
  if (local === '-' && options.json) {
    const next = 'hostdeck files cat --json prints the content as JSON.';
    throw new CommandFailure(usageProblem('- and --json both write to stdout.', next));
  }
  const target = await findFile(text, createDeploymentFinder(client, signal));
  const isPiped = local === undefined && !isTerminal && !options.json;
  if (local === '-' || isPiped) return writeFileOut(context, target);
  const { file, isTaken } = await findLocalTarget(target.path, local, { cwd });
  if (isTaken) await confirm.ask({ facts: [], question: `Replace ${file}?` });
  const { size, certainty } = await (isTaken ? saveTo : saveNew)(context, target, file);
  if (certainty === 'ambiguous') output.note(ambiguousContent);
  return output.list([{ target, file, size }], savedView);
}

async function saveTo(
  context: ServiceCommandContext,
  target: FileTarget,
  file: string,
): Promise<SavedFile> {
  const { client, output, signal } = context;
  const { place, path: remote } = target;
  const options = { signal, onProgress: output.transfer(target.label) };
  const { deployment, service } = place;
  const saved = await client.files.save(deployment.id, service, remote, file, options);
  return requestedValue(saved, (error) => fileProblem(context, target, error));
}

/** Saves a file where none was; one that appears there meanwhile stays. */
async function saveNew(
  context: ServiceCommandContext,
  target: FileTarget,
  file: string,
): Promise<SavedFile> {
  const temporary = path.join(path.dirname(file), `.hostdeck-${randomUUID()}.part`);
  try {
    const saved = await saveTo(context, target, temporary);
    const reason = await placeNewFile(temporary, file);
    if (reason === undefined) return saved;
    throw new CommandFailure(failureProblem(`Can't write ${file}: ${reason}.`, '', 'local'));
  } finally {
    await rm(temporary, { force: true });
  }
}

interface SavedCopy {
  readonly target: FileTarget;
  /** Absolute path of the local file. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

const savedView: RecordView<SavedCopy> = {
  columns: [
    { title: 'RESULT', value: () => 'saved' },
    { title: 'FILE', value: ({ target }) => target.label },
    {
      title: 'SIZE',
      value: ({ size }) => String(size),
      shown: ({ size }) => formatBytes(size),
      align: 'right',
    },
    { title: 'LOCAL', value: ({ file }) => file },
  ],
  fields: ['id', 'service', 'path', 'result', 'size', 'local'],
  json: ({ target, file, size }) => ({
    ...targetJson(target),
    result: 'saved',
    size,
    local: file,
  }),
  id: ({ file }) => file,
};
