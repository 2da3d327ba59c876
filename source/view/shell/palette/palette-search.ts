/** Searches the lists of the palette in parts, so that no key waits for a long list. */
import { go, type KeysResult, snapshot } from 'fuzzysort';
import type { LocalPlace } from '../../../store/drafts/places.ts';
import { findWord, joinTexts } from '../../../store/lists/searched-texts.ts';
import type { PaletteRow } from '../../../store/prompts/palette.ts';
import { compareText, firstInOrder } from './first-in-order.ts';

/** A searchable item; its row is created only for a match. */
export interface PaletteCandidate {
  readonly name: string;
  /** Text that is searched after the name, and then synonyms. */
  readonly more: string;
  readonly synonyms: readonly string[];
  /** The word that a synonym stands for, in the note `delete = close`; the name by default. */
  readonly meaning?: string;
  /** Id of the deployment that the candidate is. */
  readonly deployment?: string;
  /** The file that the candidate is, or whose draft it is. */
  readonly file?: LocalPlace;
  readonly row: () => PaletteRow;
}

/** Maximum code units of a text that is searched. */
const longestText = 512;

/** Score of a match that is shown without looking for weaker ones. */
export const goodScore = 0.5;

/** Score factors of a match outside the name, and of words that are spread over several texts. */
const weights = { more: 0.9, synonyms: 0.85, spread: 0.8 };

/** A candidate that a text has found. */
export interface PaletteMatch {
  readonly candidate: PaletteCandidate;
  /** From 0 to 1. */
  readonly score: number;
  /** Offsets of the matched letters in the name. */
  readonly marks: readonly number[];
  /** The synonym that fits best, where it fits better than the name. */
  readonly synonym?: string | undefined;
}

type Search = (text: string, threshold: number, limit: number) => readonly PaletteMatch[];

/** Candidates that are prepared at once: some 5 ms on a slow machine. */
const chunkSize = 500;

/** A part of a list; `search` is undefined until the part is prepared. */
interface Chunk {
  readonly candidates: readonly PaletteCandidate[];
  search?: Search;
}

/** Parts of a list, by the list, because a list keeps its array until it changes. */
const chunksOfLists = new WeakMap<readonly PaletteCandidate[], readonly Chunk[]>();

function chunksOf(candidates: readonly PaletteCandidate[]): readonly Chunk[] {
  const known = chunksOfLists.get(candidates);
  if (known !== undefined) return known;
  const count = Math.ceil(candidates.length / chunkSize);
  const chunks = Array.from({ length: count }, (_, index) => ({
    candidates: candidates.slice(index * chunkSize, (index + 1) * chunkSize),
  }));
  chunksOfLists.set(candidates, chunks);
  return chunks;
}

/** Prepares one part of the lists; returns false when all of them are prepared. */
export function prepareNext(kinds: readonly (readonly PaletteCandidate[])[]): boolean {
  for (const candidates of kinds) {
    const chunk = chunksOf(candidates).find(({ search }) => search === undefined);
    if (chunk === undefined) continue;
    chunk.search = createSearch(chunk.candidates);
    // The first search does the work; one that finds much also has the code compiled before a key
    // needs it: the first letter then takes 5 ms instead of 14 for 10,000 names.
    chunk.search(chunk.candidates[0]?.name.slice(0, 2) ?? '', 0, 50);
    return true;
  }
  return false;
}

/**
 * Searches a list. It prepares at most one part, so that no key waits for a long list; in parts that
 * are not prepared yet, only names that hold the text are found.
 */
export function searchList(
  candidates: readonly PaletteCandidate[],
  text: string,
  threshold: number,
  limit: number,
): readonly PaletteMatch[] {
  const [first, ...others] = chunksOf(candidates);
  if (first === undefined) return [];
  first.search ??= createSearch(first.candidates);
  const found = first.search(text, threshold, limit);
  return others.reduce(
    (matches, chunk) =>
      matches.concat(
        chunk.search?.(text, threshold, limit) ?? namesHolding(text, chunk.candidates, limit),
      ),
    found,
  );
}

/** Candidates from which on a verb finds only names that hold the text. */
const longList = 5000;

/**
 * Searches a list for the object of a verb. The text of a verb is searched as a whole, too, and two
 * searches in a long list would delay a key.
 */
export function searchObjects(
  candidates: readonly PaletteCandidate[],
  text: string,
  threshold: number,
  limit: number,
): readonly PaletteMatch[] {
  if (candidates.length <= longList) return searchList(candidates, text, threshold, limit);
  const part = text.toLowerCase();
  return namesHolding(text, candidates, limit).map(({ candidate, score }) => {
    const at = candidate.name.toLowerCase().indexOf(part);
    const marks = Array.from({ length: part.length }, (_, index) => at + index);
    return { candidate, score, marks };
  });
}

/** Returns the best names that hold the text, in any case: whole, at the beginning, or anywhere. */
function namesHolding(
  text: string,
  candidates: readonly PaletteCandidate[],
  limit: number,
): readonly PaletteMatch[] {
  const part = text.toLowerCase();
  const whole: PaletteCandidate[] = [];
  const beginning: PaletteCandidate[] = [];
  const inside: PaletteCandidate[] = [];
  for (const candidate of candidates) {
    const name = candidate.name.toLowerCase();
    const at = name.indexOf(part);
    if (at === -1) continue;
    if (at > 0) inside.push(candidate);
    else if (name.length > part.length) beginning.push(candidate);
    else whole.push(candidate);
  }
  return [whole, beginning, inside]
    .flatMap((some) => firstInOrder(some, compareNames, limit))
    .slice(0, limit)
    .map((candidate) => ({ candidate, score: goodScore, marks: [] }));
}

function compareNames({ name: left }: PaletteCandidate, { name: right }: PaletteCandidate): number {
  return left.length - right.length || compareText(left, right);
}

const cut = (text: string): string => text.slice(0, longestText);

function createSearch(candidates: readonly PaletteCandidate[]): Search {
  const synonymCount = candidates.reduce((most, each) => Math.max(most, each.synonyms.length), 0);
  if (synonymCount === 0 && candidates.every(({ more }) => more === '')) {
    const names = snapshot(candidates, { key: ({ name }) => cut(name) });
    const findIds = createIdSearch(candidates);
    return (text, threshold, limit) =>
      go(text, names, { threshold, limit })
        .map(({ obj, score, indexes }): PaletteMatch => ({ candidate: obj, score, marks: indexes }))
        .concat(findIds(text));
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
    }).map((result) => ({
      candidate: result.obj,
      score: result.score,
      marks: result[0]?.indexes ?? [],
      synonym: foundSynonym(result),
    }));
}

/** Letters of an id from which on it is searched. */
const shortestId = 4;

/** Returns a search for the deployments whose id holds a text; loose letters of an id mean nothing. */
function createIdSearch(
  candidates: readonly PaletteCandidate[],
): (text: string) => readonly PaletteMatch[] {
  const ids = joinTexts(
    candidates.map(({ deployment, name }) => (deployment === name ? undefined : deployment)),
  );
  return (text) => {
    const part = text.toLowerCase();
    if (part.length < shortestId || part.includes('\n')) return [];
    return findWord(ids, part).flatMap((index) => {
      const candidate = candidates[index];
      return candidate === undefined ? [] : [{ candidate, score: weights.more, marks: [] }];
    });
  };
}

/** Returns the best synonym of a result, where neither name nor explanation fits better. */
function foundSynonym(result: KeysResult<PaletteCandidate>): string | undefined {
  const [name, more, ...synonyms] = result;
  const best = Math.max(0, ...synonyms.map(({ score }) => score));
  const others = Math.max(name?.score ?? 0, (more?.score ?? 0) * weights.more);
  if (best * weights.synonyms <= others) return undefined;
  return synonyms.find(({ score }) => score === best)?.target;
}
