import type { RestartDelay } from '../../restarts/state.ts';
import type { Slice } from './slice.ts';

export interface SettingsState {
  /** Time from a deployment's last change to its restart; undefined where nobody chose one. */
  readonly restartDelay: RestartDelay | undefined;
}

/** Settings that the person chooses with `:set`. */
export interface SettingsActions {
  setRestartDelay(restartDelay: RestartDelay): void;
}

export function settingsActions({ set }: Slice<SettingsState>): SettingsActions {
  return {
    setRestartDelay(restartDelay) {
      set({ restartDelay });
    },
  };
}
