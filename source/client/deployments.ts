import type { Deployment, Service } from '../contract/deployments.ts';
import { request, type RequestResult, askAgain, requestDone } from './http/request.ts';
import type { DeploymentsClient, Read } from './client.ts';
import { decodeDeployment, type ReadDeployment } from './decode/deployments.ts';
import { decodeLongList, decodeOne } from './decode/envelope.ts';
import { decoded } from './decode/fields.ts';
import type { Result } from './http/errors.ts';
import type { Call, Http } from './http/http.ts';

export function createDeploymentsClient(http: Http): DeploymentsClient {
  const named = sdlReader();
  /** The last list: most are the same again, and are not read then. */
  let last: RequestResult<readonly Read<Deployment>[]> | undefined;

  const one = async (answer: Result<ReadDeployment>): Promise<Result<Read<Deployment>>> =>
    answer.ok ? { ...answer, value: await named(answer.value) } : answer;

  const decode = (json: unknown) => decodeOne(json, 'deployment', decodeDeployment);

  return {
    async list(signal) {
      const call: Call = { operation: 'listDeployments', signal };
      const asked = await askAgain(http, call, last, async (json) => {
        const list = await decodeLongList(json, 'deployments', decodeDeployment);
        if (!list.ok) return list;
        const deployments: Read<Deployment>[] = [];
        for (const read of list.value) {
          const one = named(read);
          deployments.push(one instanceof Promise ? await one : one);
        }
        return decoded(deployments);
      });
      if (!asked.ok) return asked;
      last = asked.value;
      return { ok: true, value: last.value };
    },
    async get(id, signal) {
      const call = { operation: 'getDeployment', parameters: { id }, signal } as const;
      let text = '';
      const result = await one(
        await request(http, call, (json, answer) => {
          text = answer;
          return decode(json);
        }),
      );
      return result.ok
        ? { ok: true, value: { ...(await withPorts(result.value)), answer: text } }
        : result;
    },
    create: async (sdl) =>
      one(await request(http, { operation: 'createDeployment', json: { sdl } }, decode)),
    close: (id) => requestDone(http, { operation: 'closeDeployment', parameters: { id } }),
    restart: (id) => requestDone(http, { operation: 'restartDeployment', parameters: { id } }),
  };
}

/** Fields in which a service may tell its ports itself. */
const portFields = /^(?:ports?|expose[sd]?|uris?|urls?|endpoints?)$/i;

/** A deployment with the ports of its SDL, where its services do not tell them. */
async function withPorts(read: Read<Deployment>): Promise<Read<Deployment>> {
  const { sdl, services } = read.value;
  const isTold = ({ more = {} }: Service) => Object.keys(more).some((key) => portFields.test(key));
  if (sdl === undefined || services.every(isTold)) return read;
  const { portsOfSdl } = await import('./decode/sdl.ts');
  const ports = portsOfSdl(sdl);
  const completed = services.map((service) => {
    const told = isTold(service) ? undefined : ports.get(service.name);
    return told === undefined ? service : exposing(service, told);
  });
  return { ...read, value: { ...read.value, services: completed } };
}

function exposing(service: Service, exposes: readonly string[]): Service {
  return { ...service, exposes };
}

/** SDLs whose services are remembered; a list is refetched every few seconds, its SDLs rarely change. */
const remembered = 1_000;

/**
 * Completes a deployment: where the answer does not list the services, its SDL names them. The YAML
 * parser is loaded when the first such deployment comes along.
 */
function sdlReader(): (read: ReadDeployment) => Read<Deployment> | Promise<Read<Deployment>> {
  const known = new Map<string, readonly Service[]>();

  const servicesOf = async (sdl: string): Promise<readonly Service[]> => {
    const before = known.get(sdl);
    if (before !== undefined) return before;
    const { servicesOfSdl } = await import('./decode/sdl.ts');
    const services = servicesOfSdl(sdl);
    if (known.size >= remembered) known.clear();
    known.set(sdl, services);
    return services;
  };

  const completed = (read: ReadDeployment, services: readonly Service[]): Read<Deployment> => ({
    value: { ...read.value, services },
    unknown: read.unknown,
  });

  // No promise where there is nothing to wait for: a list may have thousands.
  return (read) => {
    const { sdl } = read.value;
    if (read.services !== undefined) return completed(read, read.services);
    if (sdl === undefined) return completed(read, []);
    return servicesOf(sdl).then((services) => completed(read, services));
  };
}
