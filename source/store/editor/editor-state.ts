import type { TextEditor } from '../../editor/text-editor.ts';
import type { LocalPlace, NewDeployment } from '../drafts/places.ts';
import type { EditorDefinition } from './definition.ts';
import type { EditorFile } from './file.ts';

export interface EditorOpening {
  readonly place: LocalPlace | NewDeployment;
  /** Title above the text. */
  readonly title: string;
  /** Beginning of a long text that is still being read. */
  readonly preview: TextEditor | undefined;
}

export interface EditorState {
  /** The document being fetched. */
  readonly opening: EditorOpening | undefined;
  /** The edited document. */
  readonly document: EditorFile | EditorDefinition | undefined;
  /** The edited document if it is a file of a service. */
  readonly file: EditorFile | undefined;
  /** True when the text differs from the service's. */
  readonly unsaved: boolean;
  /** Counter of all changes in the editor. */
  readonly revision: number;
}

/** The state without a document. */
export const closedEditor = {
  opening: undefined,
  document: undefined,
  file: undefined,
  unsaved: false,
};
