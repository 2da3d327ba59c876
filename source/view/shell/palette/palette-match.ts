import { go, snapshot } from 'fuzzysort';
import type { PaletteRow } from '../../../store/prompts/palette.ts';

/** A searchable item; its row is created only for a match. */
export interface PaletteCandidate {
  readonly name: string;
  /** Text that is searched after the name, and then synonyms. */
  readonly more: string;
  readonly synonyms: readonly string[];
  readonly row: () => PaletteRow;
}

/** Maximum code units of a search text; a longer one is an accidental paste and finds nothing. */
const longestQuery = 256;

/** Maximum code units of a text that is searched. */
const longestText = 512;

/** Score of a match that is shown; without one, weaker ones are shown, such as `dply` in `deploy`. */
const goodScore = 0.5;
const weakScore = 0.3;

/** Score factors of a match outside the name, and of words that are spread over several texts. */
const weights = { more: 0.9, synonyms: 0.85, spread: 0.8 };

interface Match {
  readonly candidate: PaletteCandidate;
  readonly score: number;
}

type Search = (text: string, threshold: number, limit: number) => readonly Match[];

/** Searches by list, because a list keeps its array until it changes. */
const searches = new WeakMap<readonly PaletteCandidate[], Search>();

/** Prepares lists that were not searched before; some 2 ms for a thousand candidates. */
export function prepareSearch(kinds: readonly (readonly PaletteCandidate[])[]): void {
  for (const candidates of kinds) searchOf(candidates)('a', 1, 1);
}

function searchOf(candidates: readonly PaletteCandidate[]): Search {
  const search = searches.get(candidates) ?? createSearch(candidates);
  searches.set(candidates, search);
  return search;
}

const cut = (text: string): string => text.slice(0, longestText);

function createSearch(candidates: readonly PaletteCandidate[]): Search {
  const synonymCount = candidates.reduce((most, each) => Math.max(most, each.synonyms.length), 0);
  if (synonymCount === 0 && candidates.every(({ more }) => more === '')) {
    const names = snapshot(candidates, { key: ({ name }) => cut(name) });
    return (text, threshold, limit) =>
      go(text, names, { threshold, limit }).map(({ obj, score }) => ({ candidate: obj, score }));
  }
  const texts = snapshot(candidates, {
    keys: [
      ({ name }) => cut(name),
      ({ more }) => cut(more),
      ...Array.from(
        { length: synonymCount },
        (_, at) =>
          ({ synonyms }: PaletteCandidate) =>
            synonyms[at],
      ),
    ],
  });
  return (text, threshold, limit) =>
    go(text, texts, {
      threshold,
      limit,
      scoreFn(result) {
        const [name, more, ...synonyms] = result;
        const best = Math.max(0, ...synonyms.map(({ score }) => score));
        return Math.max(
          name?.score ?? 0,
          (more?.score ?? 0) * weights.more,
          best * weights.synonyms,
          result.score * weights.spread,
        );
      },
    }).map(({ obj, score }) => ({ candidate: obj, score }));
}

/**
 * Returns the `most` best candidates, best first: by score, then by kind, then by length of the name,
 * then by name. A name that begins with the text comes before others that hold it.
 */
export function bestMatches(
  typed: string,
  kinds: readonly (readonly PaletteCandidate[])[],
  most: number,
): readonly PaletteCandidate[] {
  const text = typed.trim();
  if (text === '' || text.length > longestQuery) return [];
  const find = (threshold: number): readonly (Match & { readonly kind: number })[] =>
    kinds.flatMap((candidates, kind) =>
      searchOf(candidates)(text, threshold, most).map(({ candidate, score }) => {
        const isBeginning = candidate.name.toLowerCase().startsWith(text.toLowerCase());
        return { candidate, kind, score: isBeginning ? (1 + score) / 2 : score };
      }),
    );
  const good = find(goodScore);
  const matches = good.length > 0 ? good : find(weakScore);
  return (matches.length > 0 ? matches : literalMatches(text, kinds))
    .toSorted(
      (left, right) =>
        right.score - left.score ||
        left.kind - right.kind ||
        left.candidate.name.length - right.candidate.name.length ||
        compareText(left.candidate.name, right.candidate.name),
    )
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** Returns the names that hold the text as it is: fuzzysort drops marks, which may be all of it. */
function literalMatches(text: string, kinds: readonly (readonly PaletteCandidate[])[]) {
  return kinds.flatMap((candidates, kind) =>
    candidates
      .filter(({ name }) => cut(name).includes(text))
      .map((candidate) => ({ candidate, kind, score: 0 })),
  );
}

const compareText = (left: string, right: string): number =>
  left < right ? -1 : Number(left > right);
