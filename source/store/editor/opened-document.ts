import type { EditorDefinition } from './definition.ts';
import type { EditorFile } from './file.ts';

/** The outcome of opening a file. */
export type EditorOpened =
  | {
      readonly kind: 'open';
      readonly file: EditorFile;
      /** True when the service already has the draft, after a save without an answer. */
      readonly arrived: boolean;
    }
  | { readonly kind: 'refused'; readonly sentence: string }
  /** Another running console has the document open. */
  | { readonly kind: 'locked'; readonly pid: number }
  /** Another document was opened meanwhile. */
  | { readonly kind: 'superseded' };

/** The initial text of a new definition, or the reason why there is none. */
export type Template =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly sentence: string };

/** The outcome of opening the definition of a new deployment. */
export type DefinitionOpened =
  | { readonly kind: 'open'; readonly definition: EditorDefinition }
  | Exclude<EditorOpened, { kind: 'open' }>;
