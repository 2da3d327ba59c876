/** The columns of the list of deployments: a wider list never shows fewer. */
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import type { OrderName } from '../../store/lists/order.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { column, leftColumn, rightColumn } from '../text/fit.ts';
import { orderAt } from '../text/column-order.ts';
import { instancesText } from '../text/instances.ts';
import { type Line, span } from '../text/line.ts';

/** Widths of the columns in cells, their gap included; 0 for columns that are not shown. */
export interface DeploymentColumns {
  readonly name: number;
  readonly state: number;
  readonly instances: number;
  readonly restarts: number;
  readonly age: number;
  readonly cost: number;
  readonly services: number;
  readonly note: number;
  readonly id: number;
}

/** Width of the list from which a column is shown. */
const shownFrom = { restarts: 43, age: 43, cost: 55, services: 70, note: 80, id: 100 } as const;

/** Cells of the cursor, of an opened deployment or a mark, and a space. */
const markWidth = 3;

const stateWidth = 12;
/** Widest states of a list with little room: `restart failed` is whole. */
const narrowState = 15;
const smallestName = 8;
const widths = { instances: 4, restarts: 4, age: 5, cost: 7, services: 11, note: 12 } as const;
const widest = { state: 20, instances: 7, services: 24, note: 24, id: 44 } as const;
/** Cells of the header `restarts` with its gap. */
const longRestarts = 9;

/** Number of rows that are measured for the widths. */
const maxMeasuredRows = 200;

/**
 * Returns the columns of a list of `width` cells.
 * @param wordOf returns the word that the row of a deployment shows as its state.
 */
export function deploymentColumns(
  rows: readonly DecodedRecord<Deployment>[],
  width: number,
  wordOf: (deployment: Deployment) => string = ({ state = '' }) => state,
): DeploymentColumns {
  const sample = rows.slice(0, maxMeasuredRows).map((row) => row.value);
  const has = (name: keyof typeof shownFrom): boolean => width >= shownFrom[name];
  const fixed = {
    state: Math.max(
      stateWidth,
      Math.min(longest(sample, wordOf) + 1, has('cost') ? widest.state : narrowState),
    ),
    instances: Math.max(
      widths.instances,
      Math.min(longest(sample, instancesText), widest.instances),
    ),
    restarts: has('restarts') ? widths.restarts : 0,
    age: has('age') ? widths.age : 0,
    cost: has('cost') ? widths.cost : 0,
    services: has('services') ? widths.services : 0,
    note: has('note') ? widths.note : 0,
  };
  // The pane's edge keeps a blank beside the last number.
  const edge = has('age') && !has('services') ? 1 : 0;
  let room = width - markWidth - edge - sum(Object.values(fixed));
  const name = Math.max(smallestName, Math.min(longest(sample, deploymentLabel) + 2, room));
  const wide = has('services') ? name : Math.max(smallestName, room);
  room -= wide;
  const grow = (wanted: number): number => {
    const more = Math.max(0, Math.min(wanted, room));
    room -= more;
    return more;
  };
  const services = has('services')
    ? grow(Math.min(longest(sample, servicesText) + 2, widest.services) - fixed.services)
    : 0;
  const id = has('id') ? grow(Math.min(longest(sample, (one) => one.id) + 2, widest.id)) : 0;
  const restarts = has('id') ? grow(longRestarts - fixed.restarts) : 0;
  const note = has('note') ? grow(widest.note - fixed.note) : 0;
  return {
    ...fixed,
    name: wide,
    restarts: fixed.restarts + restarts,
    services: fixed.services + services,
    note: fixed.note + note,
    id,
  };
}

/** Returns the names of the columns above their rows. */
export function deploymentHeader(columns: DeploymentColumns): Line {
  const { restarts } = columns;
  const cells = [
    ' '.repeat(markWidth),
    column('name', columns.name),
    column('state', columns.state),
    rightColumn('inst', columns.instances, 0),
    rightColumn(restarts >= longRestarts ? 'restarts' : 'rst', restarts),
    rightColumn('age', columns.age),
    rightColumn('cost/h', columns.cost),
    leftColumn('services', columns.services),
    leftColumn('note', columns.note),
    leftColumn('id', columns.id),
  ];
  return [span(cells.join(''), 'quiet')];
}

/** The order that a click on a column chooses; other columns have none. */
const columnOrders: Readonly<Partial<Record<keyof DeploymentColumns, OrderName>>> = {
  name: 'name',
  state: 'attention',
  restarts: 'restarts',
  age: 'age',
  cost: 'cost',
};

/** Returns the order of the column that has a cell of the header. */
export function deploymentOrderAt(columns: DeploymentColumns, x: number): OrderName | undefined {
  const { name, state, instances, restarts, age, cost } = columns;
  return orderAt({ name, state, instances, restarts, age, cost }, columnOrders, x - markWidth);
}

/** Returns the names of a deployment's services. */
export function servicesText({ services }: Deployment): string {
  return services.map(({ name }) => name).join(' ');
}

function longest(
  sample: readonly Deployment[],
  textOf: (deployment: Deployment) => string,
): number {
  return Math.max(0, ...sample.map((one) => textOf(one).length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
