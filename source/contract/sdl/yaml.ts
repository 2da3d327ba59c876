import type { Node } from 'yaml';
import { type Nodes, walkNodes } from './nodes.ts';
import { quoted, shownValue } from './shown-value.ts';
import { type YamlMistake, yamlMistakes } from './yaml-mistakes.ts';
import { composeYaml, type YamlText } from './yaml-text.ts';

interface PlacedMistake extends YamlMistake {
  readonly expected: string;
}

/** A text as the nodes of one document, and what is wrong with it as YAML. */
export interface Yaml {
  /** What could be made of it, even where it is not valid. */
  readonly contents: Node | null;
  readonly targets: Nodes['targets'];
  readonly mistakes: readonly PlacedMistake[];
  /** False where other mistakes may only follow from those here. */
  readonly isValid: boolean;
}

/** Reads a text as YAML, in time and memory that are bounded, whatever the text. */
export function readYaml(text: string): Yaml {
  const composed = composeYaml(text);
  const { document, errors } = composed;
  const nodes = document === undefined ? undefined : walkNodes(document, text);
  const breaking = [
    ...boundsOf(composed),
    ...yamlMistakes(text, errors, nodes?.unclosed ?? []).map(invalid),
    // An alias without a name is none; the parser says so.
    ...(nodes?.dangling.filter(({ source }) => source !== '') ?? []).map(({ range, source }) =>
      invalid({
        offset: range?.[0] ?? 0,
        sentence: `There is no anchor ${quoted(`&${source}`)} above.`,
      }),
    ),
  ];
  const duplicates = (nodes?.duplicates ?? []).map((key) => ({
    offset: key.range?.[0] ?? 0,
    expected: 'valid YAML: unique keys',
    sentence: `${shownValue(key)} stands here a second time.`,
  }));
  return {
    contents: document?.contents ?? null,
    targets: nodes?.targets ?? new Map(),
    mistakes: [...breaking, ...duplicates],
    isValid: breaking.length === 0,
  };
}

function boundsOf({ excess, secondDocument }: YamlText): readonly PlacedMistake[] {
  if (excess !== undefined) {
    const { offset, bound } = excess;
    return [{ offset, expected: bound, sentence: `The text needs ${bound}.` }];
  }
  if (secondDocument === undefined) return [];
  const sentence = 'A second document begins here: only one is expected.';
  return [{ offset: secondDocument, expected: 'one document', sentence }];
}

function invalid({ offset, sentence }: YamlMistake): PlacedMistake {
  return { offset, expected: `valid YAML: ${sentence.replace(/\.$/, '')}`, sentence };
}
