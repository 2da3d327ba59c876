import { fieldOf } from '../host/support/bodies.ts';
import type { Line } from './host-files.ts';
import type { OwnerAction } from './host-plan.ts';

/** The known state of a deployment that was requested. */
interface Known {
  readonly name: string;
  /** Undefined until it was answered or found. */
  id: string | undefined;
  closed: 'no' | 'asked' | 'yes';
  /** Times of the request that creates it and of the answer that closes it, ms of `performance.now`. */
  readonly from: number;
  to: number;
}

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

/** Someone who makes deployments and closes them, one request after the other. */
export class OwnerClient {
  readonly #known: Known[] = [];
  readonly #sdl: (name: string) => string;

  /** `sdl` is that of a deployment of a name. */
  constructor(sdl: (name: string) => string) {
    this.#sdl = sdl;
  }

  /** The deployments that are there. */
  get all(): readonly (Known & { readonly id: string })[] {
    return this.#known.flatMap((known) => {
      const { id } = known;
      return id === undefined ? [] : [{ ...known, id }];
    });
  }

  async act(action: OwnerAction, line: Line): Promise<void> {
    if (action.kind === 'create') {
      const name = `spare${this.#known.length}`;
      const known: Known = {
        name,
        id: undefined,
        closed: 'no',
        from: performance.now(),
        to: Number.POSITIVE_INFINITY,
      };
      this.#known.push(known);
      line.onSend('create');
      const answer = await line.call('createDeployment', { json: { sdl: this.#sdl(name) } });
      known.id = (fieldOf(answer, 'deployment') as Listed).id;
      return;
    }
    const open = this.all.filter(({ closed }) => closed === 'no');
    const chosen = open[action.at % open.length];
    const known = this.#known.find(({ id }) => id !== undefined && id === chosen?.id);
    if (known?.id === undefined) return;
    known.closed = 'asked';
    line.onSend('close');
    fieldOf(await line.call('closeDeployment', { id: known.id }), 'deployment');
    known.closed = 'yes';
    known.to = performance.now();
  }

  /** Checks that answered deployments exist, and that unanswered ones exist whole or not at all. */
  async check(line: Line): Promise<void> {
    const answer = await line.call('listDeployments');
    const listed = fieldOf(answer, 'deployments') as readonly Listed[];
    for (const known of this.#known.slice()) {
      const found = listed.find(({ name }) => name === known.name);
      if (found === undefined) {
        if (known.id !== undefined) line.onBroken(`${known.name} was made and is not there`);
        this.#known.splice(this.#known.indexOf(known), 1);
        continue;
      }
      known.id ??= found.id;
      const isClosed = found.state === 'closed';
      if (isClosed !== (known.closed === 'yes') && known.closed !== 'asked') {
        line.onBroken(`${known.name} is ${found.state}, ${known.closed} was closed`);
      }
      known.closed = isClosed ? 'yes' : 'no';
      if (isClosed) known.to = Math.min(known.to, performance.now());
      const files = await line.call('listFiles', { id: found.id, name: 'web' });
      if (files.status !== 200) line.onBroken(`${known.name} has no files: ${files.status}`);
    }
    if (listed.length > this.#known.length) line.onBroken('there are deployments nobody made');
  }
}
