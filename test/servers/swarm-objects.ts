/** The objects of a pretended swarm, in the form of the Docker Engine API v1.41. */

/** The specification of a service, as far as the pretended swarm reads it. */
export interface SwarmService {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly TaskTemplate: {
    readonly ContainerSpec: object;
    readonly Placement?: { readonly Constraints?: readonly string[] | undefined };
  };
  readonly Mode: { readonly Replicated: { readonly Replicas: number } };
}

interface Stored {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: object;
}

interface StoredTask {
  readonly ID: string;
  readonly ServiceID: string;
  readonly NodeID: string;
  readonly DesiredState: string;
  readonly Status: { readonly State: string };
}

/** Tasks of an instance that an engine remembers beside the present one. */
const remembered = 5;

const nodeIds = ['node1', 'node2'];

/**
 * Services, tasks, nodes and configs; tasks run at once, on one node after the other, unless a constraint names
 * another node.
 */
export class SwarmObjects {
  readonly #services = new Map<string, Stored>();
  readonly #configs = new Map<string, Stored>();
  readonly #networks: object[] = [];
  readonly #nodeVersions = new Map(nodeIds.map((id) => [id, 1]));
  #tasks: StoredTask[] = [];
  #ids = 0;
  /** Lists as they were last sent: a swarm of hundreds changes seldom. */
  readonly #lists = new Map<string, string>();

  /** Returns the answer to a call, an object or its JSON. */
  answer(call: string, id: string, action: string, body: SwarmService): unknown {
    if (!call.startsWith('GET')) this.#lists.clear();
    switch (call) {
      case 'GET info':
        return { Swarm: { ControlAvailable: true, NodeID: nodeIds[0] } };
      case 'GET services':
        return this.#list(call, () => [...this.#services.values()]);
      case 'GET tasks':
        return this.#list(call, () => this.#tasks);
      case 'GET wanted tasks':
        return this.#list(call, () =>
          this.#tasks.filter(({ DesiredState }) => DesiredState === 'running'),
        );
      case 'GET nodes':
        return this.#list(call, () => nodeIds.map((each) => this.#node(each)));
      case 'GET configs':
        return [...this.#configs.values()];
      case 'GET networks':
        return this.#networks;
      case 'GET distribution':
        return { Descriptor: { digest: `sha256:${'0'.repeat(64)}` } };
      case 'POST networks':
        return this.#networks.push({ ...body, Id: this.#newId() });
      case 'POST configs':
        return this.#store(this.#configs, action === 'update' ? id : this.#newId(), body);
      case 'POST services':
        return this.#apply(action === 'update' ? id : this.#newId(), body);
      case 'DELETE services':
        this.#tasks = this.#tasks.filter(({ ServiceID }) => ServiceID !== id);
        return this.#services.delete(id);
      default:
        return {};
    }
  }

  /** Changes the version of a node. */
  touchNode(id: string): void {
    this.#nodeVersions.set(id, (this.#nodeVersions.get(id) ?? 0) + 1);
    this.#lists.clear();
  }

  /** Returns the ids of the running tasks of a node, of all without one. */
  tasksOn(node?: string): readonly string[] {
    return this.#tasks
      .filter(({ NodeID, Status }) => Status.State === 'running' && (node ?? NodeID) === NodeID)
      .map(({ ID }) => ID);
  }

  /** Gives each instance as many ended tasks as an engine remembers. */
  age(): void {
    this.#lists.clear();
    const Status = { Timestamp: new Date(0).toISOString(), State: 'shutdown', Message: 'shutdown' };
    this.#tasks = this.#tasks.flatMap((task) => [
      task,
      ...Array.from({ length: remembered }, () =>
        Object.assign({}, task, { ID: this.#newId(), DesiredState: 'shutdown', Status }),
      ),
    ]);
  }

  #apply(id: string, spec: SwarmService): object {
    const stored = this.#store(this.#services, id, spec);
    for (let slot = 1; slot <= spec.Mode.Replicated.Replicas; slot += 1) {
      this.#startTask(id, slot, spec);
    }
    return stored;
  }

  /** Starts a task in place of the present one, which the engine remembers for a while. */
  #startTask(service: string, slot: number, spec: SwarmService): void {
    const now = new Date().toISOString();
    const isOwn = (task: StoredTask) => task.ServiceID === service;
    const ended = {
      DesiredState: 'shutdown',
      Status: { Timestamp: now, State: 'shutdown', ContainerStatus: { ExitCode: 0 } },
    };
    const former = this.#tasks
      .filter(isOwn)
      .slice(-remembered)
      .map((each) => Object.assign({}, each, ended));
    const { Constraints = [] } = spec.TaskTemplate.Placement ?? {};
    const isPlaced = Constraints.every((each) =>
      nodeIds.some((node) => !each.startsWith('node.id==') || each === `node.id==${node}`),
    );
    const id = this.#newId();
    const task = {
      ID: id,
      Version: { Index: 1 },
      CreatedAt: now,
      UpdatedAt: now,
      Spec: spec.TaskTemplate,
      ServiceID: service,
      Slot: slot,
      NodeID: isPlaced ? (nodeIds[this.#services.size % nodeIds.length] ?? '') : '',
      Status: {
        Timestamp: now,
        State: isPlaced ? 'running' : 'pending',
        Message: isPlaced ? 'started' : 'no suitable node',
        PortStatus: {},
      },
      DesiredState: 'running',
      NetworksAttachments: [{ Network: { ID: 'n', Spec: spec }, Addresses: ['10.0.1.2/24'] }],
    };
    this.#tasks = [...this.#tasks.filter((each) => !isOwn(each)), ...former, task];
  }

  #store(into: Map<string, Stored>, id: string, spec: object): object {
    const version = (into.get(id)?.Version.Index ?? 0) + 1;
    into.set(id, { ID: id, Version: { Index: version }, Spec: spec });
    return { ID: id };
  }

  #node(id: string): object {
    return {
      ID: id,
      Version: { Index: this.#nodeVersions.get(id) },
      Description: { Hostname: id },
      Spec: { Availability: 'active', Labels: {} },
      Status: { State: 'ready', Addr: '10.0.0.1' },
    };
  }

  #list(call: string, list: () => readonly unknown[]): string {
    const known = this.#lists.get(call) ?? JSON.stringify(list());
    this.#lists.set(call, known);
    return known;
  }

  #newId(): string {
    this.#ids += 1;
    return `id${String(this.#ids).padStart(23, '0')}`;
  }
}
