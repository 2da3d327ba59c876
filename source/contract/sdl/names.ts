import type { SdlEndpoint } from './endpoints.ts';
import type { SdlField } from './field.ts';
import { didYouMean } from './near-name.ts';
import type { SdlReader } from './reader.ts';
import { quoted } from './shown-value.ts';

/** What a service may refer to. */
export interface Names {
  /** Of all services. */
  readonly services: ReadonlySet<string>;
  /** Undefined where they cannot be read: any name is right then. */
  readonly endpoints: ReadonlyMap<string, SdlEndpoint> | undefined;
}

/** Returns the name of a service of the document; another one is a mistake. */
export function readServiceName(
  reader: SdlReader,
  field: SdlField,
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
