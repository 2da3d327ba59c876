import type { EngineClient } from './engine-client.ts';
import { type EngineEnvironment, enginePlaces, type NoPlace } from './engine-place.ts';

/** Finds the container engine of this machine, anew each time: it may come, go and move. */
export class EngineFinder {
  /** The variables by which it is found. */
  readonly environment: EngineEnvironment;
  #answers = false;

  constructor(env: EngineEnvironment) {
    this.environment = env;
  }

  /** Whether an engine answered the last search. */
  get answers(): boolean {
    return this.#answers;
  }

  /** Resolves with a client of the first engine that answers, or with why there is none. */
  async find(): Promise<EngineClient | NoPlace> {
    const found = await this.#search();
    // Only now: an engine that is searched for again has not gone away by that.
    this.#answers = !('failure' in found);
    return found;
  }

  async #search(): Promise<EngineClient | NoPlace> {
    const places = enginePlaces(this.environment);
    if ('failure' in places) return places;
    // Loaded here, as only a host that runs containers needs it.
    const { EngineClient } = await import('./engine-client.ts');
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
