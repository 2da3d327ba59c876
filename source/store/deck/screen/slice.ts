/** Access to one part of the screen's state. One `set` is one notification. */
export interface Slice<State> {
  readonly get: () => State;
  readonly set: (change: Partial<State> | ((state: State) => Partial<State>)) => void;
}
