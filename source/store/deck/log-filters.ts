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
  const saved = new Map<string, Pick<LogFilterState, 'filters' | 'services' | 'members'>>();
  const keyOf = ({ deploymentIds }: FilteredLog): string => deploymentIds.join();
  return {
    save(log) {
      const { filters, services, members } = log.filter.state.getState();
      const isEmpty = filters.length === 0 && services === undefined && members === undefined;
      if (isEmpty) saved.delete(keyOf(log));
      else saved.set(keyOf(log), { filters, services, members });
    },
    restore(log) {
      const last = saved.get(keyOf(log));
      if (last === undefined) return;
      log.filter.setShown(last);
      log.filter.setFilters(last.filters);
    },
  };
}
