import { keyName } from '../../store/prompts/key-names.ts';
import type { Condition } from '../../store/alerts/condition.ts';
import { type Batch, isBatchRunning } from '../../store/deployments/batch-state.ts';
import { deploymentLabel, restartCount } from '../../store/deployments/deployments.ts';
import type { Listing } from '../../store/lists/listing.ts';
import type { ShownProof } from '../../store/proof/proofs.ts';
import { fileCountText } from '../../store/restarts/sentences.ts';
import { type Restart, unappliedChanges } from '../../store/restarts/state.ts';
import { formatCount, formatRate } from '../text/amount.ts';
import { ageSince } from '../../store/time/age.ts';
import { column, leftColumn, rightColumn } from '../text/fit.ts';
import { type Line, type Span, span } from '../text/line.ts';
import { restartWord } from '../restarts/text.ts';
import { instancesText } from '../text/instances.ts';
import { type DeploymentColumns, servicesText } from './columns.ts';
import { stateToken } from '../text/theme.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';

export interface DeploymentRow {
  readonly read: DecodedRecord<Deployment>;
  readonly cursor: boolean;
  readonly opened: boolean;
  readonly restart: Restart | undefined;
  readonly condition?: Condition | undefined;
  /** The proof of its last restart. */
  readonly proof?: ShownProof | undefined;
  /** True when marked with Space. */
  readonly marked?: boolean;
  /** The batch that closes or restarts deployments. */
  readonly batch?: Batch | undefined;
}

/** Returns the sentence of a list without all deployments; undefined when it has all. */
export function partialSentence({ rows, unlisted }: Listing<Deployment>): string | undefined {
  if (unlisted === 0) return undefined;
  const [listed, total] = [rows.length, rows.length + unlisted].map(formatCount);
  return `${listed} of ${total} deployments are listed.`;
}

/** Returns the sentence of a filter that matches no deployment. */
export function unmatchedSentence({ rows, unlisted }: Listing<Deployment>): string {
  const listed = `${formatCount(rows.length)}${unlisted === 0 ? '' : ' listed'}`;
  return `0 of ${listed} deployments match. Esc clears the filter.`;
}

/**
 * Returns a row of the list: `>` is the cursor, `o` an opened deployment, `*` a mark. Unknown facts
 * are `-`.
 */
export function deploymentLine(row: DeploymentRow, columns: DeploymentColumns, now: number): Line {
  const deployment = row.read.value;
  const marks =
    row.marked === true
      ? [span(row.cursor ? '>' : ' '), span('*', 'mark'), span(' ')]
      : [span(`${row.cursor ? '>' : ' '}${row.opened ? 'o' : ' '} `)];
  const state = stateSpan(row);
  const { pricePerHour } = deployment;
  const price = pricePerHour === undefined ? Number.NaN : Number(pricePerHour);
  const cost = Number.isFinite(price) ? formatRate(price) : '-';
  const numbers = [
    rightColumn(instancesText(deployment), columns.instances, 0),
    rightColumn(String(restartCount(deployment.services) ?? '-'), columns.restarts),
    rightColumn(ageSince(deployment.createdAt, now) || '-', columns.age),
    rightColumn(cost, columns.cost),
    leftColumn(servicesText(deployment) || '-', columns.services),
  ];
  const note = noteSpan(row);
  return [
    ...marks,
    span(column(deploymentLabel(deployment), columns.name)),
    { ...state, text: column(state.text, columns.state) },
    span(numbers.join('')),
    { ...note, text: leftColumn(note.text, columns.note) },
    span(leftColumn(deployment.id, columns.id), 'quiet'),
  ];
}

/** Returns the most urgent word: the step of a batch, else the condition of the deployment. */
export function stateSpan({
  read,
  restart,
  batch,
  condition,
  proof,
  marked = false,
}: DeploymentRow): Span {
  const step = batchSpan(batch, read.value.id, marked);
  if (step !== undefined) return step;
  const { state } = read.value;
  switch (condition?.kind) {
    case 'counting':
    case 'unapplied':
      return span(restart === undefined ? '-' : restartWord(restart), 'busy');
    case 'restarting':
    case 'unclear':
      return span(condition.word, 'busy');
    case 'crashing':
    case 'failed':
    case 'restart failed':
    case 'restart unconfirmed':
    case 'worse':
    case 'rolled back':
      return span(condition.word, 'bad');
    case 'proving': {
      if (proof?.kind !== 'proving') return span(condition.word, 'busy');
      const { left } = proof;
      return span(left === undefined ? 'check waits' : `${condition.word} ${left}s`, 'busy');
    }
    case 'own':
    case undefined:
      return span(state ?? '-', stateToken(state));
  }
}

/** Returns what the state has no room for: the exit code of a failure, or the changed files. */
export function noteSpan({ restart, condition }: DeploymentRow): Span {
  if (condition?.exitCode !== undefined) {
    return span(`exit ${condition.exitCode}`, condition.exitCode === 0 ? undefined : 'bad');
  }
  const changes = restart && unappliedChanges(restart);
  if (restart?.kind === 'unknown' || restart?.kind === 'failed') {
    return span(`${keyName('restarts.restart', 'r')}: again`, 'busy');
  }
  return changes === undefined ? span('') : span(fileCountText(changes.files.length), 'busy');
}

/**
 * Returns the step of a batch for a deployment's row; undefined where the state of its restart tells
 * more. After the end of the batch, only rows that are still `marked`, for a retry, show their step.
 */
function batchSpan(batch: Batch | undefined, id: string, marked: boolean): Span | undefined {
  const step = batch?.steps.get(id);
  if (batch === undefined || step === undefined) return undefined;
  if (!isBatchRunning(batch) && !(marked && step.kind !== 'done')) return undefined;
  const isClose = batch.verb === 'close';
  switch (step.kind) {
    case 'waiting':
      return span('waiting', 'quiet');
    case 'unsent':
      return span('not sent', 'busy');
    case 'sent':
      return isClose ? span('closing', 'busy') : undefined;
    case 'done':
      return isClose ? span('closed', 'quiet') : span('restarted', 'good');
    case 'failed':
      return isClose ? span(`failed ${step.error.status ?? ''}`.trimEnd(), 'bad') : undefined;
    case 'unknown':
      return isClose ? span('no answer', 'bad') : undefined;
  }
}
