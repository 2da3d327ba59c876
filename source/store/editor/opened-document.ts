import type { EditorDefinition } from './definition.ts';
import type { EditorFile } from './file.ts';

/** What came of opening a file. */
export type EditorOpened =
  | {
      readonly kind: 'open';
      readonly file: EditorFile;
      /** The draft of it is what the service has: it was sent, and its answer never seen. */
      readonly arrived: boolean;
    }
  | { readonly kind: 'refused'; readonly sentence: string }
  /** Something else was opened meanwhile. */
  | { readonly kind: 'superseded' };

/** The text that a new definition begins with, or why there is none. */
export type Template =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly sentence: string };

/** What came of opening the definition of a new deployment. */
export type DefinitionOpened =
  | { readonly kind: 'open'; readonly definition: EditorDefinition }
  | Exclude<EditorOpened, { kind: 'open' }>;
