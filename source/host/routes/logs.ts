import type { FastifyInstance } from 'fastify';
import { defaultLogLimit } from '../../contract/logs.ts';
import { invalidField } from '../refusal.ts';
import type { HostService } from '../service.ts';
import { operationRoute, jsonContentType } from './endpoint.ts';

const maxSearchLength = 1000;

const responseStart = Buffer.from('{"success":true,"logs":');
const responseEnd = Buffer.from('}');

interface LogsRoute {
  Params: { id: string };
  Querystring: Readonly<Record<string, string | string[] | undefined>>;
}

/** Adds the operation "fetch logs" (contract, part 4, "Logs"). */
export function addLogRoutes(api: FastifyInstance, service: HostService): void {
  const { deployments, logs, limits } = service;

  api.route<LogsRoute>({
    ...operationRoute('fetchLogs'),
    handler: async ({ wallet, params, query }, reply) => {
      const record = deployments.get(wallet, params.id);
      const selection = {
        limit: wholeNumber(query['limit'], 'limit', 1, limits.maxFetchedLines) ?? defaultLogLimit,
        offset: wholeNumber(query['offset'], 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0,
        service: single(query['service'], 'service'),
        search: single(query['search'], 'search'),
      };
      if ((selection.search?.length ?? 0) > maxSearchLength) {
        throw invalidField('search', `a text of at most ${maxSearchLength} characters`);
      }
      const lines = await logs.fetch(record, selection);
      // `lines` is a JSON array, already encoded.
      await reply.type(jsonContentType).send(Buffer.concat([responseStart, lines, responseEnd]));
    },
  });
}

/** Returns the value of a query parameter. Throws a 422 when it is repeated. */
function single(value: string | string[] | undefined, name: string): string | undefined {
  if (Array.isArray(value)) throw invalidField(name, 'one value');
  return value;
}

function wholeNumber(
  value: string | string[] | undefined,
  name: string,
  from: number,
  to: number,
): number | undefined {
  const text = single(value, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= from && number <= to))
    throw invalidField(name, `a whole number, ${from} to ${to}`);
  return number;
}
