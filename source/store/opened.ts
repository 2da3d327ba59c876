import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogsClient } from '../client/client.ts';
import type { Clock } from './clock.ts';
import { type DeploymentsStore, deploymentToOpen } from './deployments.ts';
import type { FilesStore } from './files.ts';
import { pinEntries, type PinnedEntries } from './log-pinned.ts';
import { createLogView, type LogView } from './log-view.ts';
import { createLogs, type Logs } from './logs.ts';
import { type ScreenStore } from './screen.ts';
import { leaveFile } from './screen-steps.ts';

/** The log of one deployment, followed; made anew for each deployment that is opened. */
export interface Tail {
  readonly log: Logs;
  /** What is shown of it. */
  readonly entries: PinnedEntries;
  readonly view: LogView;
}

export interface Opened {
  readonly id: string | undefined;
  readonly tail: Tail | undefined;
}

export interface OpenedStore {
  readonly state: StoreApi<Opened>;
  readonly open: (id: string) => void;
  /** Lists the files of one of the opened deployment's services. */
  readonly chooseService: (service: string) => void;
  /** Opens something as soon as there is something, so that the log shows lines without a key. */
  readonly openFirst: () => void;
}

/** The deployment whose files and log are shown. */
export function createOpened(options: {
  readonly client: LogsClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly screen: ScreenStore;
  readonly deployments: Pick<DeploymentsStore, 'list'>;
  readonly files: FilesStore;
  readonly openAtStart: string | undefined;
  readonly onOpen: (deploymentId: string) => void;
}): OpenedStore {
  const { client, clock, screen, files } = options;
  const state = createStore<Opened>(() => ({ id: undefined, tail: undefined }));
  const listed = () => options.deployments.list.state.getState().rows;

  function open(id: string): void {
    if (state.getState().id === id) return;
    state.getState().tail?.log.stop();
    const log = createLogs({ client, deploymentId: id, clock, random: options.random });
    const entries = pinEntries(log.entries);
    const view = createLogView({
      entries,
      received: () => log.state.getState().received,
    });
    state.setState({ id, tail: { log, entries, view } });
    screen.setState({ logLeft: 0 });
    screen.setState(leaveFile);
    files.choose(undefined);
    chooseFirstService();
    options.onOpen(id);
  }

  /** The files of the first service, as soon as the deployment's services are known. */
  function chooseFirstService(): void {
    const { id } = state.getState();
    if (id === undefined || files.state.getState().place !== undefined) return;
    const service = listed().find(({ value }) => value.id === id)?.value.services[0]?.name;
    if (service !== undefined) files.choose({ deploymentId: id, service });
  }

  return {
    state,
    open,
    chooseService(service) {
      const { id } = state.getState();
      if (id === undefined) return;
      screen.setState(leaveFile);
      files.choose({ deploymentId: id, service });
    },
    openFirst() {
      if (state.getState().id === undefined) {
        const id = deploymentToOpen(listed(), options.openAtStart);
        if (id !== undefined) open(id);
      }
      chooseFirstService();
    },
  };
}
