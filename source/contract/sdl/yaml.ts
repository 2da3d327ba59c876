import type { Node } from 'yaml';
import { findInvisible, type InvisibleCharacter } from './invisible.ts';
import { type NodeIndex, indexNodes } from './nodes.ts';
import { quoteName } from './shown-text.ts';
import { formatNode } from './shown-value.ts';
import { type YamlMistake, explainYamlErrors } from './yaml-mistakes.ts';
import { composeYaml, type ComposedYaml } from './yaml-text.ts';

interface PlacedMistake extends YamlMistake {
  readonly expected: string;
}

/** The nodes of a YAML document with its mistakes. */
export interface ParsedYaml {
  /** Root node, also of an invalid document if there is one. */
  readonly contents: Node | null;
  readonly targets: NodeIndex['targets'];
  readonly mistakes: readonly PlacedMistake[];
  /** Invisible characters in the texts of values, where they may be meant. */
  readonly warnings: readonly PlacedMistake[];
  /** False if further mistakes may only result from these. */
  readonly isValid: boolean;
}

/** Reads any text as YAML in bounded time and memory. */
export function readYaml(text: string): ParsedYaml {
  const composed = composeYaml(text);
  const { document, errors } = composed;
  const nodes = document === undefined ? undefined : indexNodes(document, text);
  const unseen = findInvisible(text, document, composed.comments);
  const misleading = unseen.filter(({ isInText }) => !isInText).map(invisibleMistake);
  const syntaxMistakes = [
    ...exceededBounds(composed),
    ...explainYamlErrors(text, errors, nodes?.unclosed ?? []).map(yamlMistake),
    // The parser already reports an alias without a name.
    ...(nodes?.dangling.filter(({ source }) => source !== '') ?? []).map(({ range, source }) =>
      yamlMistake({
        offset: range?.[0] ?? 0,
        sentence: `Anchor ${quoteName(`&${source}`)} is not defined above.`,
      }),
    ),
  ];
  const duplicates = (nodes?.duplicates ?? []).map((key) => ({
    offset: key.range?.[0] ?? 0,
    expected: 'valid YAML: unique keys',
    sentence: `Key ${formatNode(key)} is defined twice.`,
  }));
  return {
    contents: document?.contents ?? null,
    targets: nodes?.targets ?? new Map(),
    // All other mistakes may result from a character that only looks like a space.
    mistakes: misleading.length > 0 ? misleading : [...syntaxMistakes, ...duplicates],
    warnings: unseen.filter(({ isInText }) => isInText).map(invisibleMistake),
    isValid: misleading.length === 0 && syntaxMistakes.length === 0,
  };
}

function exceededBounds({ excess, secondDocument }: ComposedYaml): readonly PlacedMistake[] {
  if (excess !== undefined) {
    const { offset, bound } = excess;
    return [{ offset, expected: bound, sentence: `The text must have ${bound}.` }];
  }
  if (secondDocument === undefined) return [];
  const sentence = 'A second document starts here, but only one is allowed.';
  return [{ offset: secondDocument, expected: 'one document', sentence }];
}

function invisibleMistake({ offset, name, advice }: InvisibleCharacter): PlacedMistake {
  return {
    offset,
    expected: `no ${name}`,
    sentence: `There is a ${name} here. ${advice}`,
  };
}

function yamlMistake({ offset, sentence }: YamlMistake): PlacedMistake {
  return { offset, expected: `valid YAML: ${sentence.replace(/\.$/, '')}`, sentence };
}
