import type { GrantForm } from '../../grants/form.ts';
import { withEntered } from '../../prompts/palette.ts';
import type { OverlayState } from './overlay.ts';
import type { PathOwner } from '../../prompts/prompt.ts';
import type { Slice } from './slice.ts';

export interface FormsState {
  /** Input of grant forms that were not sent, by the origin of the form. */
  readonly keptGrants: ReadonlyMap<string, GrantForm>;
  /** Path of a local definition that could not be opened, for the next prompt. */
  readonly keptPath: string;
  /** Commands that were run from the palette, newest last. */
  readonly entered: readonly string[];
  /** Paths that were entered in prompts, newest last. */
  readonly enteredPaths: Readonly<Record<PathOwner, readonly string[]>>;
}

/** Input that outlives the box it was typed into. */
export interface FormsActions {
  keepGrant(form: GrantForm): void;
  dropGrant(origin: string): void;
  /** Closes a grant form and keeps its input. */
  leaveGrant(form: GrantForm): void;
  keepPath(path: string): void;
  /** Adds a path to the history of the prompts for one. */
  enterPath(of: PathOwner, path: string): void;
  /** Closes the palette and adds the chosen command to its history. */
  enterName(name: string): void;
}

export function formsActions({ set }: Slice<FormsState & OverlayState>): FormsActions {
  return {
    keepGrant(form) {
      set(({ keptGrants }) => ({ keptGrants: new Map(keptGrants).set(form.origin, form) }));
    },
    dropGrant(origin) {
      set(({ keptGrants }) => ({
        keptGrants: new Map([...keptGrants].filter(([key]) => key !== origin)),
      }));
    },
    leaveGrant(form) {
      set((state) => leaveGrantForm(state, form));
    },
    keepPath(keptPath) {
      set({ keptPath });
    },
    enterPath(of, path) {
      set(({ enteredPaths }) => ({
        enteredPaths: { ...enteredPaths, [of]: withEntered(enteredPaths[of], path) },
      }));
    },
    enterName(name) {
      set(({ entered }) => ({ overlay: undefined, entered: withEntered(entered, name) }));
    },
  };
}

/** Returns the state in which a grant form is closed and its input kept. */
export function leaveGrantForm(
  { keptGrants }: FormsState,
  form: GrantForm,
): Partial<FormsState & OverlayState> {
  return { overlay: undefined, keptGrants: new Map(keptGrants).set(form.origin, form) };
}
