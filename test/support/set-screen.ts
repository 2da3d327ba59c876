import type { StoreApi } from 'zustand/vanilla';
import type { Screen, ScreenStore } from '../../source/store/deck/screen/screen.ts';

export type ScreenChange = Partial<Screen> | ((screen: Screen) => Partial<Screen>);

/** Puts the screen into a state that a test begins with, past the actions of its slices. */
export function setScreen(screen: ScreenStore, change: ScreenChange): void {
  (screen as ScreenStore & StoreApi<Screen>).setState(change);
}
