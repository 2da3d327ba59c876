import type { FileBody } from '../../client/file-content.ts';
import { ambiguousContent } from '../../store/files/trashing.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { RecordView } from '../output/record-view.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { fileProblem, findFile } from './find-file.ts';
import { writeFileOut } from './write-file-out.ts';

/** Prints a file of a service: its bytes, or a JSON object with its content. */
export async function printFile(
  context: ServiceCommandContext,
  { args: [text = ''] }: CommandWords,
): Promise<ExitCode> {
  const { client, output, signal, options } = context;
  const found = await findFile(text, createDeploymentFinder(client, signal));
  if (!found.ok) return output.fail(found.problem);
  const { target } = found;
  if (!options.json) return writeFileOut(context, target);
  const { place, path } = target;
  const got = await client.files.get(place.deployment.id, place.service, path, signal);
  if (!got.ok) return output.fail(fileProblem(context, target, got.error));
  if (got.value.certainty === 'ambiguous') output.note(ambiguousContent);
  return output.record(got.value, contentView);
}

/** A file with its content. */
const contentView: RecordView<FileBody> = {
  columns: [{ title: 'PATH', value: ({ path }) => path }],
  fields: ['path', 'size', 'modifiedAt', 'encoding', 'content'],
  json: ({ path, bytes, text, modifiedAt }) => ({
    path,
    size: bytes.length,
    ...(modifiedAt !== undefined && { modifiedAt }),
    encoding: text === undefined ? 'base64' : 'utf-8',
    content: text ?? Buffer.from(bytes).toString('base64'),
  }),
  id: ({ path }) => path,
};
