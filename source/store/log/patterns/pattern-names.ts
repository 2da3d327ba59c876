/** Names that a person gives to patterns of a log. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { matchesTokens, tokensOf } from '../../../tail/patterns/template.ts';

export interface PatternName {
  readonly template: string;
  readonly name: string;
}

/** Names of a log at most; the oldest ones go. */
const mostNames = 100;
/** Characters of a name and of a template that are stored. */
export const longestPatternName = 60;
const longestTemplate = 2500;

export interface PatternNames {
  readonly state: StoreApi<readonly PatternName[]>;
  /** Returns the name of a pattern, also when it has become more general since it was named. */
  of(template: string): string | undefined;
  /** Names a pattern; an empty name removes the one that it has. */
  set(template: string, name: string): void;
  restore(names: readonly PatternName[]): void;
}

export function createPatternNames(): PatternNames {
  const state = createStore<readonly PatternName[]>(() => []);
  const find = (template: string) =>
    state.getState().find((named) => isSamePattern(named.template, template));
  return {
    state,
    of: (template) => find(template)?.name,
    set(template, name) {
      const before = find(template);
      const others = state.getState().filter((one) => one !== before);
      const text = name.trim().slice(0, longestPatternName);
      const isKept = text !== '' && template.length <= longestTemplate;
      const next = isKept ? [...others, { template, name: text }] : others;
      state.setState(next.slice(-mostNames), true);
    },
    restore(names) {
      state.setState(names.slice(-mostNames), true);
    },
  };
}

/** Returns whether one of two templates is the other one, or has become it. */
function isSamePattern(one: string, other: string): boolean {
  const [tokens, others] = [tokensOf(one), tokensOf(other)];
  return matchesTokens(tokens, others) || matchesTokens(others, tokens);
}
