import { createStore, type StoreApi } from 'zustand/vanilla';
import type { WriteRefusal } from '../../client/http/http.ts';
import type { RestartsStore } from '../restarts/restarts.ts';
import { profileName, type Profile } from './profile.ts';

/** The permission of the console to write to its service, which the person may withdraw. */
export interface WriteAccess {
  readonly state: Pick<
    StoreApi<{ readonly isReadOnly: boolean }>,
    'getState' | 'getInitialState' | 'subscribe'
  >;
  /** Makes the connection read-only, or ends that. Countdowns then become unapplied changes. */
  setReadOnly(isReadOnly: boolean): void;
  /** Returns why a write is refused; undefined while the console may write. */
  refusal(): WriteRefusal | undefined;
}

/** Creates the permission; the client asks it before each write. */
export function createWriteAccess(
  profile: Pick<Profile, 'name' | 'production'>,
  isReadOnly = false,
): WriteAccess {
  const state = createStore(() => ({ isReadOnly }));
  return {
    state,
    setReadOnly(next) {
      state.setState({ isReadOnly: next });
    },
    refusal() {
      if (!state.getState().isReadOnly) return undefined;
      return { sentence: `${profileName(profile)} is read-only.`, next: ':profile switches.' };
    },
  };
}

/** Turns each countdown of a read-only connection into unapplied changes. Returns the function that stops it. */
export function endCountdownsOfReadOnly(handles: {
  readonly access: Pick<WriteAccess, 'state'>;
  readonly restarts: Pick<RestartsStore, 'state' | 'cancel'>;
}): () => void {
  const { access, restarts } = handles;
  const end = (): void => {
    if (!access.state.getState().isReadOnly) return;
    for (const [id, { kind }] of restarts.state.getState()) {
      if (kind === 'counting' || kind === 'restarting') restarts.cancel(id);
    }
  };
  const ends = [access.state.subscribe(end), restarts.state.subscribe(end)];
  return () => {
    for (const unsubscribe of ends) unsubscribe();
  };
}
