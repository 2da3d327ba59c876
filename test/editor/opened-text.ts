import { loadLanguage } from '../../source/editor/language-loader.ts';
import type { LanguageName } from '../../source/editor/languages.ts';
import {
  createTextEditor,
  type TextEditor,
  type TextEditorOptions,
} from '../../source/editor/text-editor.ts';
import { drawing } from './cells-drawing.ts';

/** Opens an editor for a text in a language. */
export async function openedIn(
  name: LanguageName,
  text: string,
  more: Partial<TextEditorOptions> = {},
): Promise<TextEditor> {
  const editor = createTextEditor({ ...drawing, text, size: { rows: 24, columns: 80 }, ...more });
  editor.setLanguage(await loadLanguage(name));
  return editor;
}

/** Parses an editor's text to the end. Returns the number of slices. */
export function readToEnd(editor: TextEditor): number {
  let slices = 1;
  while (!editor.advance()) slices += 1;
  return slices;
}
