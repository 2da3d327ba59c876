import type { EngineClient } from './engine-client.ts';
import { type EngineEnvironment, findEngineEndpoints, type NoEngine } from './engine-place.ts';
import { lazyPart, loadedOrNone } from '../../system/lazy-part.ts';

const engineClient = lazyPart(() => import('./engine-client.ts'));

/** Finds the container engine of this machine, with a new search on each call. */
export class EngineFinder {
  /** The variables that name the engine. */
  readonly environment: EngineEnvironment;
  #answers = false;

  constructor(env: EngineEnvironment) {
    this.environment = env;
  }

  /** True when an engine answered the last search. */
  get answers(): boolean {
    return this.#answers;
  }

  /** Resolves with a client of the first engine that answers, or with the failure. */
  async find(): Promise<EngineClient | NoEngine> {
    const result = await this.#search();
    // Set after the search, so that a search in progress doesn't report the engine as gone.
    this.#answers = !('failure' in result);
    return result;
  }

  async #search(): Promise<EngineClient | NoEngine> {
    const places = findEngineEndpoints(this.environment);
    if ('failure' in places) return places;
    // Loaded lazily: only a host that runs containers needs the client.
    const part = await loadedOrNone(engineClient);
    if (part === undefined) return { failure: "the engine's client can't be loaded" };
    const { EngineClient } = part;
    for (const place of places) {
      try {
        return await EngineClient.connect(place);
      } catch {
        // The next place may answer.
      }
    }
    const tried = places.map(({ address }) => address).join(', ');
    return { failure: `no container engine answers on ${tried}` };
  }
}
