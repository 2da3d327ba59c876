import type { Deployment, Service } from '../contract/deployments.ts';
import { ask, tell } from './ask.ts';
import type { DeploymentsClient, Read } from './client.ts';
import { decodeDeployment, type ReadDeployment } from './decode-deployments.ts';
import { decodeList, decodeOne } from './decode-envelope.ts';
import type { Result } from './errors.ts';
import type { Http } from './http.ts';

export function createDeployments(http: Http): DeploymentsClient {
  const named = sdlReader();

  const one = async (answer: Result<ReadDeployment>): Promise<Result<Read<Deployment>>> =>
    answer.ok ? { ...answer, value: await named(answer.value) } : answer;

  const decode = (json: unknown) => decodeOne(json, 'deployment', decodeDeployment);

  return {
    async list(signal) {
      const answer = await ask(http, { operation: 'listDeployments', signal }, (json) =>
        decodeList(json, 'deployments', decodeDeployment),
      );
      return answer.ok ? { ok: true, value: await Promise.all(answer.value.map(named)) } : answer;
    },
    get: async (id, signal) =>
      one(await ask(http, { operation: 'getDeployment', parameters: { id }, signal }, decode)),
    create: async (sdl) =>
      one(await ask(http, { operation: 'createDeployment', json: { sdl } }, decode)),
    close: (id) => tell(http, { operation: 'closeDeployment', parameters: { id } }),
    restart: (id) => tell(http, { operation: 'restartDeployment', parameters: { id } }),
  };
}

/** SDLs whose services are remembered; a list is refetched every few seconds, its SDLs rarely change. */
const remembered = 1_000;

/**
 * Completes a deployment: where the answer does not list the services, its SDL names them. The YAML
 * parser is loaded when the first such deployment comes along.
 */
function sdlReader(): (read: ReadDeployment) => Promise<Read<Deployment>> {
  const known = new Map<string, readonly Service[]>();

  const servicesOf = async (sdl: string): Promise<readonly Service[]> => {
    const before = known.get(sdl);
    if (before !== undefined) return before;
    const { servicesOfSdl } = await import('./decode-sdl.ts');
    const services = servicesOfSdl(sdl);
    if (known.size >= remembered) known.clear();
    known.set(sdl, services);
    return services;
  };

  return async ({ value, services, unknown }) => {
    const { sdl } = value;
    const all = services ?? (sdl === undefined ? [] : await servicesOf(sdl));
    return { value: { ...value, services: all }, unknown };
  };
}
