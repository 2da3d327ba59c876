import type { FastifyInstance } from 'fastify';
import {
  type DeploymentState,
  deploymentStates,
  maxListedDeployments,
} from '../../contract/deployments.ts';
import { parseJsonBody, readTextField } from '../server/body.ts';
import type { HostService } from '../service.ts';
import {
  jsonContentType,
  operationRoute,
  type Query,
  readWholeNumber,
  readWord,
} from './endpoint.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import { summariseClosed } from '../supervisor/deployment-status.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';

interface ListRoute {
  Querystring: Query;
}

interface IdRoute {
  Params: { id: string };
}

/** Adds the deployment operations (contract, part 4, "Deployments"). */
export function addDeploymentRoutes(api: FastifyInstance, service: HostService): void {
  const { deployments, supervisor } = service;
  const answers = new DeploymentAnswers(deployments, supervisor);

  api.route<ListRoute>({
    ...operationRoute('listDeployments'),
    handler: ({ wallet, query }, reply) => {
      const page = {
        state: readWord(query, 'state', deploymentStates),
        limit: readWholeNumber(query, 'limit', [1, maxListedDeployments]),
        offset: readWholeNumber(query, 'offset', [0, Number.MAX_SAFE_INTEGER]) ?? 0,
      };
      reply.type(jsonContentType).send(answers.list(wallet, page));
    },
  });

  api.route({
    ...operationRoute('createDeployment'),
    handler: async (request, reply) => {
      const sdl = readTextField(parseJsonBody(request), 'sdl');
      const deployment = await supervisor.create(request.wallet, sdl);
      return await reply.code(201).send({ success: true, deployment });
    },
  });

  api.route<IdRoute>({
    ...operationRoute('getDeployment'),
    handler: ({ wallet, params }, reply) => {
      reply.type(jsonContentType).send(answers.get(deployments.get(wallet, params.id)));
    },
  });

  api.route<IdRoute>({
    ...operationRoute('closeDeployment'),
    handler: async (request) => ({
      success: true,
      deployment: await supervisor.close(request.wallet, request.params.id),
    }),
  });

  api.route<IdRoute>({
    ...operationRoute('restartDeployment'),
    handler: async (request) => ({
      success: true,
      deployment: await supervisor.restart(request.wallet, request.params.id),
    }),
  });
}

/** Bytes of the closed deployments in an answer, which has fewer where they need more. */
const maxClosedBytes = 900_000;

/** Bytes of answers that are cached for all wallets together. */
const maxCachedBytes = 32 * 1024 * 1024;

/** The requested part of a list: open deployments, newest first, then the last closed ones. */
interface ListPage {
  /** Lists only deployments in this state. */
  readonly state: DeploymentState | undefined;
  readonly limit: number | undefined;
  readonly offset: number;
}

/** An open deployment as JSON. */
interface CachedRow {
  /** Change count of the deployment when `text` was written. */
  readonly changes: number;
  readonly state: DeploymentState;
  readonly text: string;
}

/** An answer that is sent again until its wallet's deployments change. */
interface CachedAnswer {
  readonly changes: number;
  readonly bytes: Buffer;
}

/** The closed deployments of a plain list as JSON; valid while the counts are the same. */
interface CachedClosed {
  readonly count: number;
  readonly limit: number;
  readonly bytes: Buffer;
}

/** An open deployment with its definition, sent again until it changes. */
interface CachedDeployment extends CachedAnswer {
  readonly record: DeploymentRecord;
}

/**
 * Encodes deployments and lists of them. Every open console requests its list, and the details that
 * it shows, every few seconds, so that unchanged ones are sent again: as the same bytes, which
 * parallel answers share.
 */
class DeploymentAnswers {
  readonly #deployments: Deployments;
  readonly #supervisor: Supervisor;
  readonly #rows = new WeakMap<DeploymentRecord, CachedRow>();
  readonly #answers = new ByteCache<CachedAnswer>(maxCachedBytes);
  readonly #closed = new ByteCache<CachedClosed>(maxCachedBytes);
  readonly #deploymentsById = new ByteCache<CachedDeployment>(maxCachedBytes);

  constructor(deployments: Deployments, supervisor: Supervisor) {
    this.#deployments = deployments;
    this.#supervisor = supervisor;
  }

  /** Returns the response of "get deployment". */
  get(record: DeploymentRecord): Buffer {
    const changes = this.#deployments.changes.deploymentCount(record.id);
    const cached = this.#deploymentsById.get(record.id);
    if (cached?.record === record && cached.changes === changes) return cached.bytes;
    const deployment = JSON.stringify(this.#supervisor.status(record));
    const bytes = Buffer.from(`{"success":true,"deployment":${deployment}}`);
    // Nobody watches a closed one, whose changes are not counted any more.
    if (record.phase !== 'closed') this.#deploymentsById.set(record.id, { record, changes, bytes });
    return bytes;
  }

  /** Returns the response of "list deployments" for a wallet. */
  list(owner: string, page: ListPage): Buffer {
    const isPlain = page.state === undefined && page.limit === undefined && page.offset === 0;
    if (!isPlain) return this.#encode(owner, page);
    const changes = this.#deployments.changes.ownerCount(owner);
    const cached = this.#answers.get(owner);
    if (cached?.changes === changes) return cached.bytes;
    const bytes = this.#encodePlain(owner);
    this.#answers.set(owner, { changes, bytes });
    return bytes;
  }

  #encodePlain(owner: string): Buffer {
    const open = this.#openRows(owner, undefined);
    const count = this.#deployments.countClosedOf(owner);
    const limit = Math.max(0, maxListedDeployments - open.length);
    let closed = this.#closed.get(owner);
    if (closed?.count !== count || closed.limit !== limit) {
      closed = { count, limit, bytes: this.#closedRows(owner, 0, limit) };
      this.#closed.set(owner, closed);
    }
    return joinAnswer(open, closed.bytes, open.length + count);
  }

  #encode(owner: string, { state, limit = maxListedDeployments, offset }: ListPage): Buffer {
    const all = this.#openRows(owner, state);
    const open = all.slice(offset, offset + limit);
    const hasClosed = state === undefined || state === 'closed';
    const count = hasClosed ? this.#deployments.countClosedOf(owner) : 0;
    const closed = hasClosed
      ? this.#closedRows(owner, Math.max(0, offset - all.length), limit - open.length)
      : Buffer.alloc(0);
    return joinAnswer(open, closed, all.length + count);
  }

  /** Returns the open deployments of a wallet as JSON, newest first. */
  #openRows(owner: string, state: DeploymentState | undefined): readonly string[] {
    return this.#deployments
      .listOpenOf(owner)
      .map((record) => this.#openRow(record))
      .filter((row) => state === undefined || row.state === state)
      .map(({ text }) => text);
  }

  #openRow(record: DeploymentRecord): CachedRow {
    const changes = this.#deployments.changes.deploymentCount(record.id);
    const cached = this.#rows.get(record);
    if (cached?.changes === changes) return cached;
    const summary = this.#supervisor.summarise(record);
    const row = { changes, state: summary.state, text: JSON.stringify(summary) };
    this.#rows.set(record, row);
    return row;
  }

  /** Returns closed deployments as JSON with commas between them; at least one if there is any. */
  #closedRows(owner: string, offset: number, limit: number): Buffer {
    const rows: Buffer[] = [];
    let room = maxClosedBytes;
    for (const record of this.#deployments.listClosedOf(owner, offset, limit)) {
      const row = Buffer.from(JSON.stringify(summariseClosed(record)));
      room -= row.length + 1;
      if (room < 0 && rows.length > 0) break;
      if (rows.length > 0) rows.push(comma);
      rows.push(row);
    }
    return Buffer.concat(rows);
  }
}

const comma = Buffer.from(',');

function joinAnswer(open: readonly string[], closed: Buffer, total: number): Buffer {
  return Buffer.concat([
    Buffer.from(`{"success":true,"deployments":[${open.join()}`),
    ...(open.length > 0 && closed.length > 0 ? [comma] : []),
    closed,
    Buffer.from(`],"total":${total}}`),
  ]);
}

/** A value whose bytes count. */
interface Sized {
  readonly bytes: Uint8Array;
}

/** A cache with a limit of bytes; the entry that was set first is evicted first. */
class ByteCache<Value extends Sized> {
  readonly #limit: number;
  readonly #entries = new Map<string, Value>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry. One that exceeds the limit alone is not cached. */
  set(key: string, value: Value): void {
    this.#remove(key);
    if (value.bytes.length > this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#size + value.bytes.length <= this.#limit) break;
      this.#remove(oldest);
    }
    this.#entries.set(key, value);
    this.#size += value.bytes.length;
  }

  #remove(key: string) {
    this.#size -= this.#entries.get(key)?.bytes.length ?? 0;
    this.#entries.delete(key);
  }
}
