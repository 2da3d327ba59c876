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

export class PatternNames {
  readonly state: StoreApi<readonly PatternName[]> = createStore<readonly PatternName[]>(() => []);

  /** Returns the name of a pattern, also when it has become more general since it was named. */
  of(template: string): string | undefined {
    return this.#find(template)?.name;
  }

  /** Names a pattern; an empty name removes the one that it has. */
  set(template: string, name: string): void {
    const before = this.#find(template);
    const others = this.state.getState().filter((one) => one !== before);
    const text = name.trim().slice(0, longestPatternName);
    const isKept = text !== '' && template.length <= longestTemplate;
    this.restore(isKept ? [...others, { template, name: text }] : others);
  }

  restore(names: readonly PatternName[]): void {
    this.state.setState(names.slice(-mostNames), true);
  }

  #find(template: string): PatternName | undefined {
    return this.state.getState().find((named) => isSamePattern(named.template, template));
  }
}

/** Returns whether one of two templates is the other one, or has become it. */
function isSamePattern(one: string, other: string): boolean {
  const [tokens, others] = [tokensOf(one), tokensOf(other)];
  return matchesTokens(tokens, others) || matchesTokens(others, tokens);
}
