import type { Endpoint } from './endpoints.ts';
import type { Field } from './field.ts';
import { didYouMean } from './near-name.ts';
import type { DocumentReader } from './reader.ts';
import { quoted } from './shown-value.ts';

/** What a service may refer to. */
export interface Names {
  /** Of all services. */
  readonly services: ReadonlySet<string>;
  /** Undefined where they cannot be read: any name is right then. */
  readonly endpoints: ReadonlyMap<string, Endpoint> | undefined;
}

/** Returns the name of a service of the document; another one is a mistake. */
export function readServiceName(
  reader: DocumentReader,
  field: Field,
  names: ReadonlySet<string>,
): string | undefined {
  const name = reader.text(field, 'the name of a service');
  if (name === undefined || names.has(name)) return name;
  return reader.fail(
    field,
    'a service that services names',
    () => `service ${quoted(name)} is not in services.${didYouMean(name, names)}`,
  );
}
