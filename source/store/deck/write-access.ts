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
  /**
   * Makes the connection read-only, so that countdowns become unapplied changes, or ends that.
   * Returns why it can't end: the profile is read-only.
   */
  setReadOnly(isReadOnly: boolean): WriteRefusal | undefined;
  /** Returns why a write is refused; undefined while the console may write. */
  refusal(): WriteRefusal | undefined;
}

/**
 * Creates the permission; the client asks it before each write.
 * @param isReadOnlyProfile true for a profile that its configuration makes read-only, for good.
 * @param reason the refusal where the profile is no reason.
 */
export function createWriteAccess(
  profile: Pick<Profile, 'name' | 'production'>,
  isReadOnlyProfile = false,
  reason?: WriteRefusal,
): WriteAccess {
  const state = createStore(() => ({ isReadOnly: isReadOnlyProfile }));
  function refusal(): WriteRefusal | undefined {
    if (!state.getState().isReadOnly) return undefined;
    if (reason !== undefined) return reason;
    const next = isReadOnlyProfile ? ':profile switches.' : ':set readonly off allows changes.';
    return { sentence: `${profileName(profile)} is read-only.`, next };
  }
  return {
    state,
    refusal,
    setReadOnly(isReadOnly) {
      if (isReadOnlyProfile && !isReadOnly) return refusal();
      state.setState({ isReadOnly });
      return undefined;
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
