import type { LogFilterState } from '../log/reader/filter.ts';
import type { Tail } from '../log/tail.ts';

type FilteredLog = Pick<Tail, 'deploymentIds' | 'filter'>;

/** The filters of logs that were closed, for the time that the program runs. */
export interface LogFilters {
  /** Remembers the filter of a log that is about to close. */
  save(log: FilteredLog): void;
  /** Applies the last filter of the same deployments to a log that was opened again. */
  restore(log: FilteredLog): void;
}

export function createLogFilters(): LogFilters {
  const saved = new Map<string, Pick<LogFilterState, 'query' | 'services'>>();
  const keyOf = ({ deploymentIds }: FilteredLog): string => deploymentIds.join();
  return {
    save(log) {
      const { query, services } = log.filter.state.getState();
      if (query === undefined && services === undefined) saved.delete(keyOf(log));
      else saved.set(keyOf(log), { query, services });
    },
    restore(log) {
      const { query, services } = saved.get(keyOf(log)) ?? {};
      if (services !== undefined) log.filter.setServices(services);
      if (query !== undefined) log.filter.setQuery(query);
    },
  };
}
