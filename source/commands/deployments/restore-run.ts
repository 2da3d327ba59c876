/** Restores the files of a restart that turned out worse. */
import { createDraftsFolder } from '../../disk/drafts-folder.ts';
import { createTrashFolder } from '../../disk/trash-folder.ts';
import { createDrafts } from '../../store/drafts/drafts.ts';
import { restoreBatch } from '../../store/files/restore.ts';
import type { ProofRecord, ProofRecords } from '../../store/proof/proof-record.ts';
import { restorableFiles } from '../../store/proof/restorable-files.ts';
import type { ChangedFile } from '../../store/restarts/journal.ts';
import { type CommandProblem, failureProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';

/** The end of a restore: the files that were restored, and why others were not. */
export interface RestoredRun {
  readonly files: readonly ChangedFile[];
  readonly problem: CommandProblem | undefined;
}

/**
 * Restores each file of a restart that has an earlier version in the trash, unless somebody else has
 * changed it since, and names the others.
 */
export async function restoreRun(
  { client, clock, folders, output, service }: ServiceCommandContext,
  record: ProofRecord,
  records: ProofRecords,
): Promise<RestoredRun> {
  const { deploymentId, name } = record;
  const trash = createTrashFolder(folders.state, service.stateKey);
  const known = await records.read(deploymentId);
  const { files, others } = restorableFiles(record, await trash.batches(), known);
  // No restart has a discarded draft among its files.
  const drafts = {
    ...createDrafts({ keeper: createDraftsFolder(folders.state, service.stateKey), clock }),
    discard: async () => ({ names: [], failure: undefined }),
  };
  const restored: ChangedFile[] = [];
  const problems: string[] = [];
  for (const [ofService, group] of Map.groupBy(files, (file) => file.service)) {
    const entries = group.map(({ entry: { id, path }, written }) => ({
      id,
      path,
      expected: written,
    }));
    const outcome = await restoreBatch(
      {
        client: client.files,
        clock,
        trash,
        batch: `${clock.now()} restore`,
        writes: {
          // The restart of the run is in the journal until the restored files have been restarted, too.
          async intend() {},
          notChanged() {},
          async fileChanged({ path }) {
            restored.push({ service: ofService, path });
          },
        },
        drafts,
      },
      { deploymentId, service: ofService },
      { entries },
    );
    if (outcome.ok) output.note(outcome.sentence);
    else problems.push(outcome.sentence);
  }
  if (others.length > 0) {
    const paths = others.map((file) => `${file.service}:${file.path}`).join(', ');
    output.note(`Without an earlier version, these stay on ${name}: ${paths}.`);
  }
  const isNone = files.length === 0;
  const sentence = isNone ? `Nothing of ${name} can be restored.` : problems.join(' ');
  const problem = { ...failureProblem(sentence), exit: exitCodes.conflict, code: 'conflict' };
  return { files: restored, problem: isNone || problems.length > 0 ? problem : undefined };
}
