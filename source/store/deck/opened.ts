import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogsClient } from '../../client/logs.ts';
import type { DeckClock, DeploymentsHandle } from './handles.ts';
import { type DeploymentsStore, deploymentToOpen } from '../deployments/deployments.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import type { FilesStore } from '../files/files.ts';
import { createLogRestarts } from '../log/restarts.ts';
import { createJoinedLogs } from '../log/feed/joined.ts';
import type { FilterLists } from '../log/reader/named-filters.ts';
import type { PipedCommands } from '../log/piped-commands.ts';
import { FollowedLog } from '../log/feed/followed-log.ts';
import type { LogMemory } from '../log/feed/log-source.ts';
import type { RestartsStore } from '../restarts/restarts.ts';
import type { LogViewsKeeper } from '../log/stored/stored-view.ts';
import { createLogViews } from './log-views.ts';
import type { ScreenStore } from './screen/screen.ts';
import type { Tone } from '../prompts/tone.ts';
import { createTail, type Tail, type TailSource } from '../log/tail.ts';

export interface Opened {
  readonly id: string | undefined;
  readonly tail: Tail | undefined;
}

/** Returns whether a deployment is the opened one, or part of the joined log. */
export function isOpened({ id, tail }: Opened, deploymentId: string): boolean {
  return id === deploymentId || tail?.deploymentIds.includes(deploymentId) === true;
}

export interface OpenedStore
  extends Pick<StoreApi<Opened>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Opens a deployment. With several ids, one tail joins their logs. */
  open(id: string, joined?: readonly string[]): void;
  /** Lists the files of one of the opened deployment's services. */
  chooseService(service: string): void;
  /** Named lists of filters, for any log. */
  readonly filterLists: FilterLists;
  /** Commands to which lines of any log were piped. */
  readonly pipedCommands: PipedCommands;
  /** Stores how the open log is read, before the program ends. */
  keepView(): void;
  /** Opens the first listed deployment when none is open, so that the log shows lines without a key. */
  openFirst(): void;
}

/** Creates the store of the opened deployment, whose files and log are shown. */
export function createOpened(options: {
  readonly client: LogsClient;
  readonly clock: DeckClock;
  readonly random: () => number;
  readonly screen: ScreenStore;
  readonly deployments: Pick<DeploymentsStore, 'list' | 'details' | 'fetch'> &
    Pick<DeploymentsHandle, 'label'>;
  readonly files: FilesStore;
  readonly restarts: Pick<RestartsStore, 'state'>;
  readonly openAtStart: string | undefined;
  readonly opensUnlisted?: boolean | undefined;
  readonly memory: LogMemory | undefined;
  /** Stores how logs are read; without it, for the time that the program runs. */
  readonly logViews?: LogViewsKeeper | undefined;
  readonly say: (sentence: string, tone?: Tone) => void;
  readonly onOpen: (deploymentId: string) => void;
}): OpenedStore {
  const { client, clock, screen, files, memory } = options;
  const state = createStore<Opened>(() => ({ id: undefined, tail: undefined }));
  const restarts = createLogRestarts({
    restarts: options.restarts.state,
    deployments: options.deployments.list.state,
    serviceNow: () => clock.serviceNow(),
  });
  let stopNames = (): void => {};
  const logViews = createLogViews({ keeper: options.logViews, clock, say: options.say });
  const listed = () => options.deployments.list.state.getState().rows;

  function open(id: string, ids: readonly string[] = []): void {
    if (ids.length > 1) return openJoined(id, ids);
    const { id: before, tail } = state.getState();
    if (before === id && tail?.joined === undefined) return;
    close(tail);
    const log = new FollowedLog({
      ...memory,
      client,
      deploymentId: id,
      clock,
      random: options.random,
    });
    show(id, { log, deploymentIds: [id], joined: undefined });
  }

  function openJoined(id: string, deploymentIds: readonly string[]): void {
    const { tail } = state.getState();
    if (tail?.deploymentIds.join() === deploymentIds.join()) return choose(id, tail);
    close(tail);
    const { random } = options;
    const log = createJoinedLogs({ ...memory, client, deploymentIds, clock, random });
    show(id, { log, deploymentIds, joined: log });
  }

  function show(id: string, source: Omit<TailSource, 'restarts'>): void {
    screen.reading.setLogLeft(0);
    const tail = createTail({ ...source, restarts, nameOf }, clock, () => clock.serviceNow());
    logViews.open(tail);
    stopNames = watchNames(tail);
    choose(id, tail);
  }

  function nameOf(deploymentId: string): string {
    return options.deployments.label(deploymentId);
  }

  function close(tail: Tail | undefined): void {
    if (tail === undefined) return;
    logViews.close();
    stopNames();
    tail.stop();
  }

  /** Applies filters and search again when a deployment of a log gets another name. */
  function watchNames({ deploymentIds, filter, search }: Tail): () => void {
    const names = (): string => deploymentIds.map(nameOf).join('\n');
    let before = names();
    return options.deployments.list.state.subscribe(() => {
      const now = names();
      if (now === before) return;
      before = now;
      filter.renamed();
      search.renamed();
    });
  }

  /** Sets the tail, and lists the files when the deployment is another one. */
  function choose(id: string, tail: Tail | undefined): void {
    const { id: before } = state.getState();
    state.setState({ id, tail });
    if (before === id) return;
    screen.view.close('file');
    files.choose(undefined);
    chooseFirstService();
    if (rowWithId(listed(), id) === undefined) {
      void options.deployments.fetch(id).then(chooseFirstService);
    }
    options.onOpen(id);
  }

  /** Lists the files of the first service as soon as the deployment's services are known. */
  function chooseFirstService(): void {
    const { id } = state.getState();
    if (id === undefined || files.state.getState().place !== undefined) return;
    const { details } = options.deployments;
    const record = rowWithId(listed(), id) ?? details.getState().get(id);
    const service = record?.value.services[0]?.name;
    if (service !== undefined) files.choose({ deploymentId: id, service });
  }

  return {
    ...state,
    open,
    chooseService(service) {
      const { id } = state.getState();
      if (id === undefined) return;
      screen.view.close('file');
      files.choose({ deploymentId: id, service });
    },
    filterLists: logViews.filterLists,
    pipedCommands: logViews.pipedCommands,
    keepView: () => logViews.keep(),
    openFirst() {
      if (state.getState().id === undefined) {
        const { openAtStart, opensUnlisted = false } = options;
        const id = opensUnlisted ? openAtStart : deploymentToOpen(listed(), openAtStart);
        if (id !== undefined) open(id);
      }
      chooseFirstService();
    },
  };
}
