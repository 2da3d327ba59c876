import { keyName } from '../prompts/key-names.ts';
import type { RunJudgement } from '../proof/judge.ts';
import type { ProofRecord, ProofRecords } from '../proof/proof-record.ts';
import { createProofs, type Proofs, type ProofsOptions } from '../proof/proofs.ts';
import { restorableFiles } from '../proof/restorable-files.ts';
import { proofSentence } from '../proof/sentences.ts';
import type { LocalStorage, MessagesHandle } from './handles.ts';

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
  options: Omit<ProofsOptions, 'seconds' | 'requestedTimes' | 'records' | 'onVerdict'> & {
    readonly settings: ProofSettings | undefined;
    readonly kept: Pick<LocalStorage, 'trash' | 'proofs'>;
    readonly messages: MessagesHandle;
  },
): Proofs {
  const { settings = noProofSettings, kept, messages, ...rest } = options;
  const { proofs: records = noRecords } = kept;

  async function report(record: ProofRecord, judgement: RunJudgement): Promise<void> {
    const { name, requestedAt, deploymentId, samples } = record;
    const isWorse = judgement.verdict === 'worse';
    const earlier = isWorse ? await records.read(deploymentId) : [];
    const batches = isWorse ? await kept.trash.batches() : [];
    const { files } = restorableFiles(record, batches, earlier);
    const undo = files.length === 0 ? '' : `${keyName('trash.undo', 'u')} restores yours.`;
    const text = proofSentence(
      { name, at: requestedAt, files: record.files.length, undo, hasSeveral: samples.length > 1 },
      judgement,
    );
    messages.say(text, isWorse ? 'bad' : 'plain');
  }

  return createProofs({
    ...rest,
    seconds: settings.seconds,
    requestedTimes: (id) => settings.requestedTimes(id),
    records,
    onVerdict: (record, judgement) => void report(record, judgement),
  });
}
