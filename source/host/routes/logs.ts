import type { FastifyInstance } from 'fastify';
import { defaultLogLimit } from '../../contract/logs.ts';
import { assertKept } from '../closed-deployments.ts';
import { invalidField } from '../refusal.ts';
import type { HostService } from '../service.ts';
import {
  jsonContentType,
  operationRoute,
  type Query,
  readText,
  readWholeNumber,
} from './endpoint.ts';

const maxSearchLength = 1000;

const responseStart = Buffer.from('{"success":true,"logs":');
const responseEnd = Buffer.from('}');

interface LogsRoute {
  Params: { id: string };
  Querystring: Query;
}

/** Adds the operation "fetch logs" (contract, part 4, "Logs"). */
export function addLogRoutes(api: FastifyInstance, service: HostService): void {
  const { deployments, logs, limits, answerLimiter } = service;

  api.route<LogsRoute>({
    ...operationRoute('fetchLogs'),
    handler: async ({ wallet, params, query }, reply) => {
      const record = deployments.get(wallet, params.id);
      assertKept(record);
      const selection = {
        limit: readWholeNumber(query, 'limit', [1, limits.maxFetchedLines]) ?? defaultLogLimit,
        offset: readWholeNumber(query, 'offset', [0, Number.MAX_SAFE_INTEGER]) ?? 0,
        service: readText(query, 'service'),
        search: readText(query, 'search'),
      };
      if ((selection.search?.length ?? 0) > maxSearchLength) {
        throw invalidField('search', `a text of at most ${maxSearchLength} characters`);
      }
      const lines = await answerLimiter.prepare(wallet, () => logs.fetch(record, selection));
      // `lines` is a JSON array, already encoded.
      await reply.type(jsonContentType).send(Buffer.concat([responseStart, lines, responseEnd]));
    },
  });
}
