import {
  endpointText,
  type ServiceEndpoint,
  type ServiceInstance,
} from '../../contract/deployments.ts';
import { ageSince } from '../../store/time/age.ts';
import type { DetailRow } from '../text/detail-rows.ts';
import { column } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';
import { stateToken } from '../text/theme.ts';

/** Widths of the columns in cells: both rows of an instance fit 40 columns. */
const cells = { number: 7, state: 12 } as const;

/**
 * Returns the rows of the instances of a service on a cluster: its state and age, and below it its node
 * with each endpoint, and the reason why it does not run or was started there.
 *
 * @param key prefix of the row keys.
 * @param now ms since the epoch, by the clock of the service.
 */
export function instanceRows(
  key: string,
  instances: readonly ServiceInstance[],
  endpoints: readonly ServiceEndpoint[],
  now: number,
): readonly DetailRow[] {
  return instances.flatMap((instance) => {
    const whole = JSON.stringify(instance, null, 2);
    const own = endpoints.filter((endpoint) => endpoint.instance === instance.instance);
    const rowKey = `${key} instance ${instance.instance}`;
    return [
      { key: rowKey, line: stateLine(instance, now), value: instance.state, whole },
      ...placeRows(rowKey, instance, own),
      ...reasonRow(rowKey, instance),
    ];
  });
}

function stateLine({ instance, state, startedAt, restarts }: ServiceInstance, now: number): Line {
  const since = ageSince(startedAt, now);
  const token = stateToken(state);
  const facts = [
    since === '' ? '' : token === 'good' ? `up ${since}` : `started ${since} ago`,
    restarts === undefined ? '' : restarts === 1 ? '1 restart' : `${restarts} restarts`,
  ].filter((part) => part !== '');
  return [
    span(column(`    ${instance}`, cells.number), 'quiet'),
    span(column(state, cells.state), token),
    span(facts.join(', ')),
  ];
}

/** Returns a row with the reason why an instance does not run or was started; none without one. */
function reasonRow(key: string, { reason }: ServiceInstance): readonly DetailRow[] {
  if (reason === undefined) return [];
  const line: Line = [span(' '.repeat(cells.number)), span(reason, 'busy')];
  return [{ key: `${key} reason`, line, value: reason }];
}

/** Returns a row for each endpoint, or one with the node alone; none for an instance without a node. */
function placeRows(
  key: string,
  { node, address }: ServiceInstance,
  endpoints: readonly ServiceEndpoint[],
): readonly DetailRow[] {
  const row = (index: number, name: string, value: string, purpose = ''): DetailRow => ({
    key: `${key} place ${index}`,
    line: [
      span(' '.repeat(cells.number)),
      span(`${name}  `, 'quiet'),
      span(value),
      span(purpose, 'quiet'),
    ],
    value,
  });
  if (endpoints.length > 0) {
    return endpoints.map((endpoint, index) => {
      const { target } = endpoint;
      const purpose = target === undefined ? '' : ` for ${target}`;
      return row(index, endpoint.node, endpointText(endpoint), purpose);
    });
  }
  return node === undefined ? [] : [row(0, node, address ?? '')];
}
