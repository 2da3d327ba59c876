import { eventStream } from '../../../contract/event-lines.ts';
import type { HostClock } from '../../clock.ts';
import type { DeploymentRecord } from '../../deployment-record.ts';
import type { Deployments } from '../../deployments.ts';
import type { EngineTask } from '../../engine/swarm-api.ts';
import type { HostLogs } from '../../logs/logs.ts';
import type { Metering } from '../../money/metering.ts';
import { clusterLabels } from '../cluster-labels.ts';
import { describeEnd, describeStart } from './describe-task.ts';
import { FollowQueue } from './follow-queue.ts';
import { hasEnded, isRunning } from '../instances.ts';
import { describeLoss, describeMissedEnd, describeReturn, describeUnread } from '../node-loss.ts';
import type { Nodes } from '../nodes.ts';
import type { Orchestrator, Snapshot } from '../orchestrator.ts';
import { isTrial } from '../plan.ts';
import { TaskLog } from './task-log.ts';
import { runId, unseenRunId } from './task-runs.ts';
import type { StoredCursor } from '../../logs/run.ts';

export interface TaskReaderParts {
  readonly clock: HostClock;
  readonly orchestrator: Pick<Orchestrator, 'follow' | 'readRest'>;
  readonly deployments: Pick<Deployments, 'findByNumber' | 'getById'>;
  readonly logs: Pick<HostLogs, 'appendTimed' | 'cursor' | 'cursors' | 'forget'>;
  readonly metering: Pick<Metering, 'begin' | 'chargeEnded' | 'together'>;
  /** Wall-clock time until which runs of an earlier host were charged, in ms since the epoch. */
  readonly chargedUntil: number;
}

/** A task that has run. */
interface SeenTask {
  readonly task: EngineTask;
  readonly log: TaskLog;
  /** Begins another charged run; the returned function ends it. */
  readonly charge: (startedAt?: number) => (endedAt?: number) => void;
  endCharges: (endedAt?: number) => void;
  /** Charges a task that no host saw run, once its output is read. */
  readonly chargeUnseen: () => void;
  /** True while the node of the task does not answer. */
  isLost: boolean;
  /** Version of its node as the engine has it. */
  nodeVersion: number | undefined;
  ended: Promise<unknown> | undefined;
  /** True when the engine does not list it any more. */
  isForgotten: boolean;
}

/** Reads the output of all tasks, logs their starts and ends, and charges the time between. */
export class TaskReaders {
  readonly #parts: TaskReaderParts;
  readonly #seen = new Map<string, SeenTask>();
  /** Ids of tasks that have stored cursors. */
  readonly #recorded: Set<string>;
  readonly #queue: FollowQueue;
  #snapshots = 0;
  #latest: Snapshot | undefined;
  #hasStopped = false;

  constructor(parts: TaskReaderParts) {
    this.#parts = parts;
    this.#queue = new FollowQueue(parts.clock);
    this.#recorded = new Set([...parts.logs.cursors.keys()].map(taskOfSource));
  }

  observe(snapshot: Snapshot): void {
    // A snapshot that was under way at the stop has tasks for the next host to begin.
    if (this.#hasStopped) return;
    this.#snapshots += 1;
    if (snapshot === this.#latest) return;
    this.#latest = snapshot;
    this.#parts.metering.together(() => {
      this.#observeTasks(snapshot);
    });
  }

  #observeTasks({ tasks, nodes }: Snapshot): void {
    for (const task of tasks) {
      const isNew = !this.#seen.has(task.id);
      // An earlier host may have read it to its end.
      if (isNew && this.#parts.logs.cursor(sourceOf(task, 'end')) !== undefined) continue;
      if (isNew && (isRunning(task) || hasRun(task))) this.#begin(task, nodes);
      this.#noteNode(task, nodes);
      if (hasEnded(task)) this.#end(task);
    }
    const present = new Set(tasks.map(({ id }) => id));
    for (const [id, seen] of this.#seen) if (!present.has(id)) this.#forget(id, seen);
    const isOver = (id: string) => !present.has(id) && !this.#seen.has(id);
    const over = [...this.#recorded].filter(isOver);
    for (const id of over) this.#endLeft(id);
    this.#removeCursors(over);
  }

  /** Logs the end of a task that the engine has forgotten while no host ran, unless one was logged. */
  #endLeft(id: string): void {
    const { clock, deployments, logs } = this.#parts;
    const left = findLeftTask(logs.cursors, id);
    const record = left && deployments.findByNumber(left.deployment);
    if (left === undefined || record === undefined) return;
    const { service, instance, lastRead } = left;
    const at = new Date(clock.now()).toISOString();
    const lines = [{ line: describeMissedEnd({ id }, lastRead), at }];
    const source = sourceOf({ id }, 'end');
    void logs.appendTimed(record, service, eventStream, lines, { source, instance });
  }

  /** Reads the output of services of the engine, by their ids, to its end. */
  async finish(services: ReadonlySet<string>): Promise<void> {
    const own = [...this.#seen.values()].filter(({ task }) => services.has(task.service));
    await Promise.all(own.map((seen) => (seen.ended ??= seen.log.finish())));
  }

  /** Stops reading; a later host goes on where this one ends. */
  stop(): void {
    this.#hasStopped = true;
    for (const { log } of this.#seen.values()) log.stop();
  }

  #begin(task: EngineTask, nodes: Nodes): void {
    const { clock, orchestrator, logs, metering } = this.#parts;
    const { record, service, instance } = this.#placeOf(task);
    const sources = { stdout: sourceOf(task, 'stdout'), stderr: sourceOf(task, 'stderr') };
    this.#recorded.add(task.id);
    let firstLine: string | undefined;
    const log = new TaskLog({
      clock,
      queue: this.#queue,
      engineAnswers: () => this.#snapshots,
      open: (since, signal) => orchestrator.follow(task.id, since, signal),
      openRest: (since, signal) => orchestrator.readRest(task.id, since, signal),
      stored: { stdout: logs.cursor(sources.stdout), stderr: logs.cursor(sources.stderr) },
      onLines: (stream, lines) => {
        firstLine ??= lines[0]?.at;
        return logs.appendTimed(record, service, stream, lines, {
          source: sources[stream],
          instance,
        });
      },
    });
    const isFirst = logs.cursor(sourceOf(task, 'start')) === undefined;
    if (isRunning(task) && isFirst) {
      this.#event(task, describeStart(task, nodes), sourceOf(task, 'start'));
    }
    const run = { deployment: record.id, service, instance: task.slot };
    const charge = (startedAt?: number) =>
      metering.begin({ ...run, id: runId(task.id) }, startedAt);
    // An earlier host may have logged the loss of its node.
    const isLost = nodes.isLost(task) && this.#wasLost(task);
    if (isLost) log.suspend();
    const isCharged = isRunning(task) && !nodes.isLost(task);
    const startedAt = isFirst ? Date.parse(task.at) : this.#parts.chargedUntil;
    const endCharges = isCharged ? charge(startedAt) : () => undefined;
    const chargeUnseen = () => {
      // The engine keeps no time of a start, and a task may have waited for its image.
      const began = firstLine ?? task.at;
      const key = { ...run, id: unseenRunId(task.id) };
      metering.chargeEnded(key, Date.parse(began), Date.parse(task.at));
    };
    this.#seen.set(task.id, {
      task,
      log,
      charge,
      endCharges,
      chargeUnseen: isFirst && !isRunning(task) ? chargeUnseen : () => undefined,
      isLost,
      nodeVersion: nodes.versionOf(task),
      ended: undefined,
      isForgotten: false,
    });
  }

  /** Reads and charges nothing of a task while its node does not answer. */
  #noteNode(task: EngineTask, nodes: Nodes): void {
    const seen = this.#seen.get(task.id);
    if (seen === undefined) return;
    const version = nodes.versionOf(task);
    // Also a node that was cut off for so short a time that it never read as down: its follows are silent.
    if (seen.nodeVersion !== version) seen.log.reopen();
    seen.nodeVersion = version;
    const isLost = nodes.isLost(task);
    if (seen.isLost === isLost || seen.ended !== undefined) return;
    seen.isLost = isLost;
    const at = new Date(this.#parts.clock.now()).toISOString();
    if (isLost) {
      seen.endCharges();
      seen.log.suspend();
      this.#event(task, describeLoss(task, nodes, seen.log.lastRead), sourceOf(task, 'lost'), at);
    } else {
      seen.log.resume();
      this.#event(task, describeReturn(task, nodes), sourceOf(task, 'back'), at);
      // The engine stops a task that it has replaced meanwhile.
      if (isRunning(task) && task.desired === 'running') seen.endCharges = seen.charge();
    }
  }

  #wasLost(task: EngineTask): boolean {
    const { logs } = this.#parts;
    return (
      (logs.cursor(sourceOf(task, 'lost')) ?? '') > (logs.cursor(sourceOf(task, 'back')) ?? '')
    );
  }

  #end(task: EngineTask): void {
    const seen = this.#seen.get(task.id);
    if (seen === undefined || seen.ended !== undefined) return;
    seen.endCharges(Date.parse(task.at));
    seen.ended = this.#finish(task, seen);
  }

  /** @param at time of the end, by default the engine's. */
  async #finish(task: EngineTask, { log, chargeUnseen }: SeenTask, at = task.at): Promise<void> {
    const unread = await log.finish();
    if (log.isStopped) return;
    if (unread !== undefined) {
      this.#event(task, describeUnread(task, log.lastRead, unread), sourceOf(task, 'unread'), at);
    }
    chargeUnseen();
    this.#event(task, describeEnd(task), sourceOf(task, 'end'), at);
  }

  /** Ends a task that the engine has forgotten, maybe before it told the end; what it still has is read. */
  #forget(id: string, seen: SeenTask): void {
    if (seen.isForgotten) return;
    seen.isForgotten = true;
    seen.endCharges();
    seen.ended ??= this.#finish(seen.task, seen, new Date(this.#parts.clock.now()).toISOString());
    void this.#drop(id, seen.ended);
  }

  async #drop(id: string, ended: Promise<unknown>): Promise<void> {
    await ended;
    this.#seen.delete(id);
    if (!this.#hasStopped) this.#removeCursors([id]);
  }

  /** Removes the cursors of tasks that the engine has forgotten: there is nothing to read any more. */
  #removeCursors(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#recorded.delete(id);
    this.#parts.logs.forget(ids.flatMap(sourcesOf));
  }

  /** Logs an event, by default with the engine's time, once: `source` is stored with it. */
  #event(task: EngineTask, line: string, source: string, at = task.at): void {
    const { record, service, instance } = this.#placeOf(task);
    const lines = [{ line, at }];
    void this.#parts.logs.appendTimed(record, service, eventStream, lines, { source, instance });
  }

  #placeOf({ labels, slot }: EngineTask): {
    readonly record: DeploymentRecord;
    readonly service: string;
    readonly instance: number | undefined;
  } {
    const record = this.#parts.deployments.getById(labels[clusterLabels.deployment] ?? '');
    const service = labels[clusterLabels.service] ?? '';
    const count = record.services.find(({ name }) => name === service)?.count ?? 1;
    // A trial is none of the instances that the definition counts.
    const isCounted = count > 1 && !isTrial({ labels });
    return { record, service, instance: isCounted ? slot : undefined };
  }
}

/** Returns true for a task that ended before the host saw it run. */
function hasRun({ state, exitCode }: EngineTask): boolean {
  return exitCode !== undefined && ['complete', 'failed', 'shutdown'].includes(state);
}

/** Outputs and events of a task that are stored with the time up to which they were read. */
const sourceParts = ['stdout', 'stderr', 'start', 'lost', 'back', 'unread', 'end'] as const;

type SourcePart = (typeof sourceParts)[number];

/** Returns the id of an output of a task, or of an event that is logged once. */
function sourceOf({ id }: Pick<EngineTask, 'id'>, part: SourcePart): string {
  return `${id}/${part}`;
}

/** Returns all sources of a task, by its id. */
function sourcesOf(id: string): readonly string[] {
  return sourceParts.map((part) => sourceOf({ id }, part));
}

/** Returns the id of the task of a source. */
function taskOfSource(source: string): string {
  return source.slice(0, source.lastIndexOf('/'));
}

/** A task of which an earlier host has stored something, but not the end. */
interface LeftTask {
  /** Number of the deployment. */
  readonly deployment: number;
  readonly service: string;
  /** Number of the instance, when the service has several. */
  readonly instance: number | undefined;
  /** Engine's time of the newest line that was read; undefined for none. */
  readonly lastRead: string | undefined;
}

/** Returns a task by what is stored of it; undefined when its end is, or when its service is unknown. */
function findLeftTask(
  cursors: ReadonlyMap<string, StoredCursor>,
  id: string,
): LeftTask | undefined {
  const cursorOf = (part: SourcePart) => cursors.get(sourceOf({ id }, part));
  if (cursorOf('end') !== undefined) return undefined;
  const [stdout, stderr] = [cursorOf('stdout'), cursorOf('stderr')];
  const { deployment, service, instance } = cursorOf('start') ?? stdout ?? stderr ?? {};
  if (deployment === undefined || service === undefined) return undefined;
  const lastRead = [stdout, stderr]
    .flatMap((each) => each?.at ?? [])
    .toSorted()
    .at(-1);
  return { deployment, service, instance, lastRead };
}
