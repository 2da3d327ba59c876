import type { RestartDelay } from '../../restarts/state.ts';
import type { Slice } from './slice.ts';

export interface SettingsState {
  /** Time from a deployment's last change to its restart; undefined where nobody chose one. */
  readonly restartDelay: RestartDelay | undefined;
  /** Whether the terminal reports clicks, which takes selecting by the mouse from it. */
  readonly hasMouse: boolean;
}

/** Settings that the person chooses by name. */
export interface SettingsActions {
  setRestartDelay(restartDelay: RestartDelay): void;
  setMouse(hasMouse: boolean): void;
}

export function settingsActions({ set }: Slice<SettingsState>): SettingsActions {
  return {
    setRestartDelay(restartDelay) {
      set({ restartDelay });
    },
    setMouse(hasMouse) {
      set({ hasMouse });
    },
  };
}
