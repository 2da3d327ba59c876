/** The keys by which episodes know the conditions of rules. */

/** The place where a condition was found. */
export interface ConditionKey {
  readonly source: 'list' | 'disk' | 'grant' | 'log';
  /** Index of the rule. */
  readonly rule: number;
  /** Id of the deployment or the grant, which may have spaces; empty for the service. */
  readonly id: string;
}

export function conditionKey({ source, rule, id }: ConditionKey): string {
  return `${source} ${rule} ${id}`;
}

/** Returns the parts of a key that {@link conditionKey} made. */
export function parseConditionKey(key: string): ConditionKey {
  const [source, rule, ...id] = key.split(' ');
  return { source: source as ConditionKey['source'], rule: Number(rule), id: id.join(' ') };
}
