import type { SdlEndpoint } from './endpoints.ts';
import type { SdlField } from './field.ts';
import { formatSuggestion } from './near-name.ts';
import type { SdlReader } from './reader.ts';
import { quoteName } from './shown-text.ts';

/** The names that a service may refer to. */
export interface SdlNames {
  /** Names of all services. */
  readonly services: ReadonlySet<string>;
  /** Endpoints by name; undefined if they are unreadable, and then any name is valid. */
  readonly endpoints: ReadonlyMap<string, SdlEndpoint> | undefined;
}

/** Reads the name of a service of the document and reports an unknown one. */
export function readServiceName(
  reader: SdlReader,
  field: SdlField,
  names: ReadonlySet<string>,
): string | undefined {
  const name = reader.text(field, 'the name of a service');
  if (name === undefined || names.has(name)) return name;
  return reader.reportValue(
    field,
    'a service listed in services',
    () => `Service ${quoteName(name)} is not in services.${formatSuggestion(name, names)}`,
  );
}
