import { keyName } from '../prompts/key-names.ts';
import { proofSentence, type RunJudgement } from '../proof/judge.ts';
import type { ProofRecord, ProofRecords } from '../proof/proof-record.ts';
import { Proofs, type ProofsOptions } from '../proof/proofs.ts';
import { restorableFiles } from '../proof/restorable-files.ts';
import type { LocalStorage, MessagesHandle } from './handles.ts';
import type { ScreenStore } from './screen/screen.ts';

/** The settings of proofs; by default nothing is proved. */
export interface ProofSettings {
  /** Seconds in which a restart is proved. */
  readonly seconds: number;
  /** Returns the times of restarts from this machine, ms by the service's clock. */
  requestedTimes(deployment: string): readonly number[];
}

const noProofSettings: ProofSettings = { seconds: 0, requestedTimes: () => [] };
const noRecords: ProofRecords = {
  read: async () => [],
  abandoned: async () => [],
  write: async () => {},
};

/** Creates the proofs of a deck, which say their verdicts. */
export function createDeckProofs(
  {
    random,
    proof: settings = noProofSettings,
    kept,
    screen,
  }: {
    readonly random: () => number;
    readonly proof?: ProofSettings | undefined;
    readonly kept: Pick<LocalStorage, 'trash' | 'proofs'>;
    readonly screen: Pick<ScreenStore, 'getState'>;
  },
  stores: Pick<ProofsOptions, 'client' | 'clock' | 'restarts' | 'deployments' | 'label'> & {
    readonly messages: MessagesHandle;
  },
): Proofs {
  const { proofs: records = noRecords } = kept;

  async function report(record: ProofRecord, judgement: RunJudgement): Promise<void> {
    const { name, requestedAt, deploymentId } = record;
    const isWorse = judgement.verdict === 'worse';
    const earlier = isWorse ? await records.read(deploymentId) : [];
    const batches = isWorse ? await kept.trash.batches() : [];
    const { files } = restorableFiles(record, batches, earlier);
    const { focus, main } = screen.getState();
    const isEditing = focus === 'main' && main.kind === 'editor';
    const advice = worseAdvice(files.length > 0, isEditing);
    const text = proofSentence(
      { name, at: requestedAt, files: record.files.length, advice },
      judgement,
    );
    stores.messages.say(text, isWorse ? 'bad' : 'plain');
  }

  return new Proofs({
    ...stores,
    random,
    seconds: settings.seconds,
    requestedTimes: (id) => settings.requestedTimes(id),
    records,
    onVerdict: (record, judgement) => void report(record, judgement),
  });
}

/** Returns the keys after a run that is worse; in the editor they are text. The words stay true once it is left. */
function worseAdvice(hasUndo: boolean, isEditing: boolean): string {
  const undo = hasUndo ? [`${keyName('trash.undo', 'u')} restores yours`] : [];
  const keys = [...undo, `${keyName('log.compare', 'B')} compares`].join(', ');
  return isEditing ? `Outside the editor, ${keys}.` : `${keys}.`;
}
