import { formatAge } from '../time/age.ts';
import type { LogRule } from './rule.ts';

/** Returns the sentence about the lines of a log. It repeats none of them: they may hold secrets. */
export function logSentence({ condition }: LogRule, name: string, errors: number): string {
  switch (condition.kind) {
    case 'errors': {
      const count = errors.toLocaleString('en');
      return `${name} has ${count} errors in ${formatAge(condition.within)}.`;
    }
    case 'pattern':
      return `${name} has a line that matches "${condition.pattern}".`;
    case 'silent':
      return `${name} has written nothing for ${formatAge(condition.span)}.`;
  }
}
