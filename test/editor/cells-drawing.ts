import stringWidth from 'string-width';
import type { TextEditorOptions } from '../../source/editor/text-editor.ts';

/** Draws control characters as `^A`, and characters without width as a replacement mark. */
export const drawing: Pick<TextEditorOptions, 'show' | 'measure'> = {
  show: (cluster) => {
    const code = cluster.charCodeAt(0);
    if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
    return stringWidth(cluster) === 0 ? '\u00b7' : cluster;
  },
  measure: (shown) => stringWidth(shown),
};
