import type { Deployment, Service } from '../contract/deployments.ts';
import { request, type DecodedAnswer, requestIfChanged, requestDone } from './http/request.ts';
import { DecodedItems } from './decode/decoded-items.ts';
import type { DecodedRecord } from './decode/fields.ts';
import { decodeDeployment, type DecodedDeployment } from './decode/deployments.ts';
import { decodeLongList, decodeResource, findTotal } from './decode/envelope.ts';
import { decodeSuccess } from './decode/fields.ts';
import type { ListResult, Result } from './http/errors.ts';
import type { RequestCall, Http } from './http/http.ts';
import { lazyPart, loadedOrNone } from '../system/lazy-part.ts';

const sdlDecoder = lazyPart(() => import('./decode/sdl.ts'));

export interface DeploymentsClient {
  list(signal?: AbortSignal): Promise<ListResult<DecodedRecord<Deployment>>>;
  get(id: string, signal?: AbortSignal): Promise<Result<DecodedRecord<Deployment>>>;
  create(sdl: string): Promise<Result<DecodedRecord<Deployment>>>;
  close(id: string): Promise<Result<void>>;
  restart(id: string): Promise<Result<void>>;
}

/** The rows of a list answer, and the number of deployments that it says the service has. */
interface ListedRows {
  readonly rows: readonly DecodedRecord<Deployment>[];
  readonly total: number | undefined;
}

/** Creates the deployment operations: list, get, create, close and restart. */
export function createDeploymentsClient(http: Http): DeploymentsClient {
  const addServices = createServiceReader();
  /** The last list answer: an unchanged one is not decoded again. */
  let last: DecodedAnswer<ListedRows> | undefined;
  const items = new DecodedItems<ReturnType<typeof addServices>>();

  const completeRecord = async (record: DecodedDeployment): Promise<DecodedRecord<Deployment>> => {
    const completed = addServices(record);
    return typeof completed === 'function' ? completed() : completed;
  };
  const complete = async (
    result: Result<DecodedDeployment>,
  ): Promise<Result<DecodedRecord<Deployment>>> =>
    result.ok ? { ...result, value: await completeRecord(result.value) } : result;

  const decodeListed = (item: unknown, at: string) => {
    const record = decodeDeployment(item, at);
    return record.ok ? decodeSuccess(addServices(record.value)) : record;
  };

  const decode = (json: unknown) => decodeResource(json, 'deployment', decodeDeployment);

  return {
    async list(signal) {
      const call: RequestCall = { operation: 'listDeployments', signal };
      const result = await requestIfChanged(http, call, last, async (json) => {
        const list = await decodeLongList(json, 'deployments', decodeListed, items, http.workTurn);
        if (!list.ok) return list;
        const rows: DecodedRecord<Deployment>[] = [];
        // One by one, so that the services of an SDL are read once.
        for (const row of list.value) rows.push(typeof row === 'function' ? await row() : row);
        return decodeSuccess({ rows, total: findTotal(json, 'deployments') });
      });
      if (!result.ok) return result;
      last = result.value;
      const { rows, total } = last.value;
      return { ok: true, value: rows, total };
    },
    async get(id, signal) {
      const call = { operation: 'getDeployment', parameters: { id }, signal } as const;
      let text = '';
      const result = await complete(
        await request(http, call, (json, answer) => {
          text = answer;
          return decode(json);
        }),
      );
      return result.ok
        ? { ok: true, value: { ...(await addPorts(result.value)), answer: text } }
        : result;
    },
    create: async (sdl) =>
      complete(await request(http, { operation: 'createDeployment', json: { sdl } }, decode)),
    close: (id) => requestDone(http, { operation: 'closeDeployment', parameters: { id } }),
    restart: (id) => requestDone(http, { operation: 'restartDeployment', parameters: { id } }),
  };
}

/** Fields in which a service record may list its ports. */
const portFields = /^(?:ports?|expose[sd]?|uris?|urls?|endpoints?)$/i;

/** Adds the ports from the SDL to services whose records list none. */
async function addPorts(deployment: DecodedRecord<Deployment>): Promise<DecodedRecord<Deployment>> {
  const { sdl, services } = deployment.value;
  const hasPorts = ({ endpoints, otherFields = {} }: Service) =>
    endpoints !== undefined ||
    Object.entries(otherFields).some(([key, value]) => portFields.test(key) && !isEmptyList(value));
  if (sdl === undefined || services.every(hasPorts)) return deployment;
  const decoder = await loadedOrNone(sdlDecoder);
  if (decoder === undefined) return deployment;
  const { readSdlPorts } = decoder;
  const ports = readSdlPorts(sdl);
  const completed = services.map((service) => {
    const exposes = hasPorts(service) ? undefined : ports.get(service.name);
    return exposes === undefined ? service : withExposes(service, exposes);
  });
  return { ...deployment, value: { ...deployment.value, services: completed } };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function withExposes(service: Service, exposes: readonly string[]): Service {
  return { ...service, exposes };
}

/** Largest number of SDLs whose services are cached. A list is refetched every few seconds. */
const maxCachedSdls = 1_000;

/**
 * Returns a function that completes a deployment: it takes the services from the SDL when the answer
 * does not list them. The YAML parser loads with the first such deployment, so that one is returned
 * as a function that reads it.
 */
function createServiceReader(): (
  record: DecodedDeployment,
) => DecodedRecord<Deployment> | (() => Promise<DecodedRecord<Deployment>>) {
  const cache = new Map<string, readonly Service[]>();

  const readServices = async (sdl: string): Promise<readonly Service[]> => {
    const cached = cache.get(sdl);
    if (cached !== undefined) return cached;
    const decoder = await loadedOrNone(sdlDecoder);
    // The next list that differs tries again.
    if (decoder === undefined) return [];
    const services = decoder.readSdlServices(sdl);
    if (cache.size >= maxCachedSdls) cache.clear();
    cache.set(sdl, services);
    return services;
  };

  const withServices = (
    record: DecodedDeployment,
    services: readonly Service[],
  ): DecodedRecord<Deployment> => ({
    value: { ...record.value, services },
    unknown: record.unknown,
  });

  return (record) => {
    const { sdl } = record.value;
    if (record.services !== undefined) return withServices(record, record.services);
    if (sdl === undefined) return withServices(record, []);
    return async () => withServices(record, await readServices(sdl));
  };
}
