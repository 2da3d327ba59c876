import { parseConfig } from '../../source/config/parse-config.ts';
import type { AlertRule } from '../../source/store/alerts/rule.ts';

/** Returns the rules of a configuration, each given as the fields of its map. */
export function parseRules(...rules: readonly string[]): readonly AlertRule[] {
  const list = rules.map((fields) => `  - { ${fields} }\n`).join('');
  const parsed = parseConfig(`alerts:\n${list}`, '/c.yaml', '/', true);
  if (!parsed.ok) throw new Error(`${parsed.problem.sentence} ${parsed.problem.next}`);
  return parsed.value.alerts ?? [];
}
