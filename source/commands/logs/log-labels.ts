/** The names before the lines of several logs. Pure. */
import { cellWidth, padCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { LineLabel } from './line-format.ts';

const styles = [
  'cyan',
  'magenta',
  'green',
  'blue',
  'yellow',
  'cyanBright',
  'magentaBright',
] as const;

/**
 * Returns a name and a colour for each deployment, in their order; ids where names are missing or not
 * unique. All names are one word and have the same width.
 */
export function logLabels(
  deployments: readonly { readonly id: string; readonly name?: string | undefined }[],
): readonly LineLabel[] {
  const words = deployments.map(({ name = '' }) => sanitize(name).trim().replaceAll(/\s+/g, '_'));
  const texts = deployments.map(({ id }, at) => {
    const word = words[at] ?? '';
    const isUnique = words.indexOf(word) === words.lastIndexOf(word);
    return word !== '' && isUnique ? word : sanitize(id);
  });
  const width = Math.max(0, ...texts.map(cellWidth));
  return texts.map((text, at) => ({
    text: padCells(text, width),
    style: styles[at % styles.length] ?? 'cyan',
  }));
}
