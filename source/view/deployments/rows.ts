import { type Batch, isBatchRunning } from '../../store/deployments/batch-state.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import type { Listing } from '../../store/lists/listing.ts';
import type { Restart } from '../../store/restarts/state.ts';
import { formatCount } from '../text/amount.ts';
import { ageSince } from '../text/age.ts';
import { column } from '../text/fit.ts';
import { type Line, type Span, span } from '../text/line.ts';
import { pendingText, pendingToken } from '../restarts/text.ts';
import { instancesText } from '../text/instances.ts';
import { stateToken } from '../text/theme.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';

export interface DeploymentRow {
  readonly read: DecodedRecord<Deployment>;
  readonly cursor: boolean;
  readonly opened: boolean;
  readonly restart: Restart | undefined;
  /** True when marked with Space. */
  readonly marked?: boolean;
  /** The batch that closes or restarts deployments. */
  readonly batch?: Batch | undefined;
}

/** Width from which the list shows all columns; narrower lists show the most important. */
const wideFrom = 60;

const widths = { state: 10, narrowState: 13, instances: 6, services: 11, age: 6 };

/** Widths of the columns that depend on their content, in cells. */
export interface DeploymentColumns {
  readonly name: number;
  readonly state: number;
}

/** Number of rows that are measured for the widths. */
const maxMeasuredRows = 1000;

/** Returns name and state as wide as their longest text, within the width of the list. */
export function deploymentColumns(
  rows: readonly DecodedRecord<Deployment>[],
  width: number,
): DeploymentColumns {
  const sample = rows.slice(0, maxMeasuredRows).map((row) => row.value);
  const longest = Math.max(10, ...sample.map((one) => deploymentLabel(one).length));
  const longestState = Math.max(...sample.map((one) => one.state?.length ?? 0), 0);
  const wide = width >= wideFrom;
  const state = wide
    ? Math.min(Math.max(widths.state, longestState + 1), widths.narrowState)
    : widths.narrowState;
  const others = wide
    ? state + widths.instances + widths.services + widths.age + 12
    : state + widths.instances;
  return { name: Math.max(8, Math.min(longest + 2, width - 3 - others)), state };
}

export function deploymentHeader(columns: DeploymentColumns, width: number): Line {
  if (width < wideFrom) return [];
  const cells = [
    column('name', columns.name),
    column('state', columns.state),
    column('inst', widths.instances),
    column('services', widths.services),
    column('age', widths.age),
  ];
  return [span(`   ${cells.join('')}pending`, 'quiet')];
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

/** Returns a row of the list: `>` is the cursor, `o` an opened deployment, `*` a mark. */
export function deploymentLine(
  row: DeploymentRow,
  columns: DeploymentColumns,
  width: number,
  now: number,
): Line {
  const deployment = row.read.value;
  const marks =
    row.marked === true
      ? [span(row.cursor ? '>' : ' '), span('*', 'mark'), span(' ')]
      : [span(`${row.cursor ? '>' : ' '}${row.opened ? 'o' : ' '} `)];
  const label = column(deploymentLabel(deployment), columns.name);
  const state = deployment.state ?? '?';
  const pending = pendingSpan(row, width < wideFrom);
  const instances = instancesText(deployment);
  if (width < wideFrom) {
    const middle = pending ?? [
      span(column(state, columns.state), stateToken(deployment.state)),
      span(instances),
    ];
    return [...marks, span(label), ...middle];
  }
  const services = deployment.services.map((service) => service.name).join(' ');
  return [
    ...marks,
    span(label),
    span(column(state, columns.state), stateToken(deployment.state)),
    span(column(instances, widths.instances)),
    span(column(services, widths.services)),
    span(column(ageSince(deployment.createdAt, now), widths.age)),
    ...(pending ?? []),
  ];
}

/** Returns the batch step of a deployment, else the state of its restart. */
function pendingSpan(row: DeploymentRow, short: boolean): readonly Span[] | undefined {
  const { restart, batch, read, marked = false } = row;
  const step = batchSpan(batch, read.value.id, marked);
  if (step !== undefined) return [step];
  return restart && [span(pendingText(restart, short), pendingToken(restart))];
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
