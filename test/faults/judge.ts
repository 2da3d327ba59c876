/** A text that a file had in the editor. */
export interface TextState {
  readonly text: string;
  /** Time at which the screen showed it, in ms of the same clock as the kill; undefined: never. */
  readonly seenAt: number | undefined;
}

export interface FileEvidence {
  readonly path: string;
  /** Every text that it had, oldest first; the first is what was there before. */
  readonly states: readonly TextState[];
  /** Positions in `states` that were asked to be saved, oldest first. */
  readonly asked: readonly number[];
  /** The last of them that was seen to be saved. */
  readonly saved: number | undefined;
  /** The text that the service has after the kill. */
  readonly stored: string;
  /** The draft that this machine has kept. */
  readonly draft: string | undefined;
}

/** A request that changes something, as the service got it. */
export interface SentRequest {
  readonly kind: 'save' | 'restart';
  /** Only of restarts: it was seen to be accepted before the kill. */
  readonly accepted?: boolean;
}

export interface Evidence {
  readonly files: readonly FileEvidence[];
  readonly killedAt: number;
  /** Ms before the kill up to which what was seen has to be kept; 0 where the program could end. */
  readonly grace: number;
  /** All that was sent before the next start, oldest first. */
  readonly sent: readonly SentRequest[];
  /** Number of the saves in `sent` that the screen confirmed. */
  readonly savesSeen: number;
  /** Whether a restart was offered at the next start, and how many drafts. */
  readonly offeredRestart: boolean;
  readonly offeredDrafts: number;
  /** Requests of the next start before anything was chosen. */
  readonly sentUnasked: number;
}

/** The promises that held, and those that were broken. */
export interface Judgement {
  readonly held: readonly string[];
  readonly broken: readonly string[];
}

/** Holds what was found after a kill against what the program promises. */
export function judge(evidence: Evidence): Judgement {
  const broken = [
    ...evidence.files.flatMap((file) => [...judgeSaves(file), ...judgeDraft(file, evidence)]),
    ...judgeRestarts(evidence),
    ...judgeOffer(evidence),
  ];
  const saves = evidence.files.filter(({ saved }) => saved !== undefined).length;
  const drafts = evidence.files.filter(({ draft }) => draft !== undefined).length;
  const restarts = evidence.sent.filter(({ kind }) => kind === 'restart').length;
  const held = [
    `${evidence.savesSeen} saves seen in ${saves} files`,
    `${drafts} drafts`,
    `${restarts} restarts sent${evidence.offeredRestart ? ', 1 offered' : ''}`,
  ];
  return { held, broken };
}

function judgeSaves({ path, states, asked, saved, stored }: FileEvidence): readonly string[] {
  const oldest = saved ?? 0;
  const possible = [oldest, ...asked.filter((position) => position >= oldest)];
  if (possible.some((position) => states[position]?.text === stored)) return [];
  const what = saved === undefined ? 'it was' : 'was seen to be saved';
  return [`${path} is not on the service as ${what}: ${JSON.stringify(stored)}`];
}

function judgeDraft(
  { path, states, stored, draft }: FileEvidence,
  { killedAt, grace }: Evidence,
): readonly string[] {
  const owed = states.findLastIndex(({ seenAt = Infinity }) => seenAt <= killedAt - grace);
  const onService = states.findLastIndex(({ text }) => text === stored);
  if (draft === undefined) {
    if (onService >= owed) return [];
    return [`what was typed into ${path} is lost: ${JSON.stringify(states[owed]?.text)}`];
  }
  const kept = states.findLastIndex(({ text }) => text === draft);
  if (kept === -1) return [`the draft of ${path} was never typed: ${JSON.stringify(draft)}`];
  if (kept < onService) return [`the draft of ${path} is older than what is saved`];
  if (kept < owed && onService < owed) {
    const [has, typed] = [draft, states[owed]?.text].map((text) => JSON.stringify(text));
    return [`the draft of ${path} lacks what was typed: ${has} instead of ${typed}`];
  }
  return [];
}

function judgeRestarts({ sent, savesSeen, offeredRestart }: Evidence): readonly string[] {
  const broken: string[] = [];
  let changes = 0;
  let saves = 0;
  let isApplied = true;
  let wasAccepted = false;
  for (const { kind, accepted = false } of sent) {
    if (kind === 'save') {
      changes += 1;
      saves += 1;
      if (saves <= savesSeen) isApplied = false;
      wasAccepted = false;
      continue;
    }
    if (changes === 0) broken.push('a restart was sent without a change since the one before');
    changes = 0;
    isApplied = true;
    wasAccepted = accepted;
  }
  if (!isApplied && !offeredRestart) {
    broken.push('a file was seen to be saved, and its restart is neither sent nor offered');
  }
  if (offeredRestart && wasAccepted) {
    broken.push('a restart is offered again that was seen to be accepted');
  }
  return broken;
}

function judgeOffer({ files, offeredDrafts, sentUnasked }: Evidence): readonly string[] {
  const drafts = files.filter(({ draft }) => draft !== undefined).length;
  return [
    ...(offeredDrafts === drafts ? [] : [`${offeredDrafts} drafts offered of ${drafts}`]),
    ...(sentUnasked === 0 ? [] : [`${sentUnasked} requests were sent at the start, unasked`]),
  ];
}
