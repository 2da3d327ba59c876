/** The files of services whose log lines name places in code, beside the one that pane 2 lists. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FilesClient } from '../../client/files.ts';
import type { Clock } from '../time/clock.ts';
import type { LocalPlace } from '../drafts/places.ts';
import type { FilesPlace } from './files.ts';

/** The files of a service as its list had them. */
interface FileList {
  readonly paths: readonly string[];
  /** Times of the last changes by path, ISO 8601, where the service tells them. */
  readonly modifiedAt: ReadonlyMap<string, string>;
}

/** The files of services, by {@link serviceKey}. */
type ListsOfServices = ReadonlyMap<string, FileList>;

export interface ServiceFiles {
  readonly state: StoreApi<ListsOfServices>;
  /** Returns the paths of the files of a service; undefined until they are fetched. */
  paths(place: FilesPlace): readonly string[] | undefined;
  /** Returns the time of the last change of a file, ISO 8601; undefined where it is unknown. */
  modifiedAt(place: LocalPlace): string | undefined;
  /** Fetches the list, unless it was fetched a moment ago. A list that fails is left as it was. */
  want(place: FilesPlace): void;
}

/** Milliseconds for which a list is taken as it was fetched. */
const freshTime = 30_000;

/** Most services whose lists are kept; the ones fetched last. */
const mostServices = 8;

const serviceKey = ({ deploymentId, service }: FilesPlace): string => `${deploymentId}\n${service}`;

export function createServiceFiles(options: {
  readonly client: Pick<FilesClient, 'list'>;
  readonly clock: Clock;
}): ServiceFiles {
  const { client, clock } = options;
  const state = createStore<ListsOfServices>(() => new Map());
  const requestedAt = new Map<string, number>();

  async function fetchPaths(place: FilesPlace): Promise<void> {
    const key = serviceKey(place);
    const result = await client.list(place.deploymentId, place.service);
    if (!result.ok) return;
    const lists = new Map(state.getState());
    lists.delete(key);
    const files = result.value.flatMap(({ value }) => (value.directory === true ? [] : [value]));
    lists.set(key, {
      paths: files.map(({ path }) => path),
      modifiedAt: new Map(
        files.flatMap(({ path, modifiedAt }) =>
          modifiedAt === undefined ? [] : [[path, modifiedAt] as const],
        ),
      ),
    });
    for (const oldest of lists.keys()) {
      if (lists.size <= mostServices) break;
      lists.delete(oldest);
      requestedAt.delete(oldest);
    }
    state.setState(lists, true);
  }

  return {
    state,
    paths: (place) => state.getState().get(serviceKey(place))?.paths,
    modifiedAt: (place) => state.getState().get(serviceKey(place))?.modifiedAt.get(place.path),
    want(place) {
      const key = serviceKey(place);
      const now = clock.now();
      const before = requestedAt.get(key);
      if (before !== undefined && now >= before && now - before < freshTime) return;
      requestedAt.set(key, now);
      void fetchPaths(place);
    },
  };
}
