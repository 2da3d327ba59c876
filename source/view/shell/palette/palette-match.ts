import { compareText, firstInOrder } from './first-in-order.ts';
import {
  goodScore,
  type PaletteCandidate,
  type PaletteMatch,
  searchList,
  searchObjects,
} from './palette-search.ts';
import { type PaletteVerb, verbReadings } from './palette-verbs.ts';

/** Maximum code units of a search text; a longer one is an accidental paste and finds nothing. */
const longestQuery = 256;

/** Score of a match that is shown where no better one is found, such as `dply` in `deploy`. */
const weakScore = 0.3;

/** Score factor of a name behind a verb. */
const verbWeight = 0.9;

/** Verbs that are typed before or behind the name of one of the candidates. */
export interface VerbsOf {
  readonly verbs: readonly VerbOf[];
  readonly candidates: readonly PaletteCandidate[];
}

export interface VerbOf extends PaletteVerb {
  /** Returns the verb with the candidate as its object; undefined where a command offers it. */
  readonly with: (candidate: PaletteCandidate) => PaletteCandidate | undefined;
}

/**
 * Returns the `most` best matches, best first: by score, then by kind, with verbs behind the first
 * kind, then by length of the name, then by name. The whole name comes first, then names that begin
 * with the text.
 */
export function bestMatches(
  typed: string,
  kinds: readonly (readonly PaletteCandidate[])[],
  most: number,
  verbs: readonly VerbsOf[] = [],
): readonly PaletteMatch[] {
  const text = typed.trim();
  if (text === '' || text.length > longestQuery) return [];
  const start = text.toLowerCase();
  const find = (threshold: number): readonly RankedMatch[] =>
    kinds
      .flatMap((candidates, kind) =>
        searchList(candidates, text, threshold, most).map((match) => ranked(match, kind, start)),
      )
      .concat(verbs.flatMap((each) => verbMatches(text, each, threshold, most)));
  const good = find(goodScore);
  const matches = good.length > 0 ? good : find(weakScore);
  const found = matches.length > 0 ? matches : literalMatches(text, kinds);
  return firstInOrder(found, compareMatches, most).map(({ match }) => match);
}

function compareMatches(left: RankedMatch, right: RankedMatch): number {
  return (
    right.score - left.score ||
    left.kind - right.kind ||
    left.match.candidate.name.length - right.match.candidate.name.length ||
    compareText(left.match.candidate.name, right.match.candidate.name)
  );
}

interface RankedMatch {
  readonly match: PaletteMatch;
  readonly kind: number;
  readonly score: number;
}

/**
 * Returns a match with its place in the order: a whole name, then a beginning, then others.
 * @param start the typed text in lower case.
 */
function ranked(match: PaletteMatch, kind: number, start: string): RankedMatch {
  const name = match.candidate.name.toLowerCase();
  if (name === start) return { match, kind, score: 1 };
  return { match, kind, score: name.startsWith(start) ? (1 + match.score) / 2 : match.score };
}

/** Rank of verbs among the kinds, behind the commands. */
const verbKind = 0.5;

/** Returns the verbs that the text begins or holds, each with the names that the rest finds. */
function verbMatches(
  text: string,
  { verbs, candidates }: VerbsOf,
  threshold: number,
  most: number,
): readonly RankedMatch[] {
  const start = text.toLowerCase();
  return verbReadings(text, verbs).flatMap(({ verb, word, typed, rest }) =>
    searchObjects(candidates, rest, threshold, most).flatMap(({ candidate, score, marks }) => {
      const offered = verb.with(candidate);
      if (offered === undefined) return [];
      const isSynonym = word !== verb.verb;
      const before = offered.name.length - candidate.name.length;
      const ofVerb = isSynonym ? [] : Array.from({ length: typed }, (_, index) => index);
      const found = {
        candidate: offered,
        score: score * verbWeight,
        marks: ofVerb.concat(marks.map((mark) => mark + before)),
        synonym: isSynonym ? word : undefined,
      };
      return ranked(found, verbKind, start);
    }),
  );
}

/** Returns the names that hold the text as it is: fuzzysort drops marks, which may be all of it. */
function literalMatches(
  text: string,
  kinds: readonly (readonly PaletteCandidate[])[],
): readonly RankedMatch[] {
  const start = text.toLowerCase();
  return kinds.flatMap((candidates, kind) =>
    candidates
      .filter(({ name }) => name.includes(text))
      .map((candidate) => {
        const at = candidate.name.indexOf(text);
        const marks = Array.from({ length: text.length }, (_, index) => at + index);
        return ranked({ candidate, score: 0, marks }, kind, start);
      }),
  );
}
