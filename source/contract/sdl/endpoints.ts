/** Reads the endpoints of an SDL. */
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlReader } from './reader.ts';
import { quoteName } from './shown-text.ts';

/** An endpoint of the document; `isUsed` is true once a port refers to it. */
export interface SdlEndpoint {
  readonly field: SdlField;
  isUsed: boolean;
}

const endpointName = /^[a-z][-_0-9a-z]+$/;

/**
 * Reads the endpoints that `ip` may refer to, by name; undefined if they are unreadable. Mistakes in
 * an endpoint are warnings.
 */
export function readEndpoints(
  reader: SdlReader,
  field: SdlField | undefined,
): ReadonlyMap<string, SdlEndpoint> | undefined {
  const present = reader.optional(field);
  if (present === undefined) return new Map();
  const endpoints = reader.entries(present, 'a map of endpoints by name');
  if (endpoints === undefined) return undefined;
  reader.asWarnings(() => {
    for (const [name, endpoint] of endpoints) {
      if (!endpointName.test(name)) {
        reader.reportKey(
          endpoint,
          'a lowercase letter, then lowercase letters, digits, "-" or "_"',
          () =>
            `An endpoint name must be a lowercase letter, then lowercase letters, digits, "-" or "_", not ${quoteName(name)}.`,
        );
      }
      checkEndpoint(reader, endpoint);
    }
  });
  return new Map([...endpoints].map(([name, each]) => [name, { field: each, isUsed: false }]));
}

/** Reports each endpoint that no port uses. */
export function reportUnusedEndpoints(
  reader: SdlReader,
  endpoints: ReadonlyMap<string, SdlEndpoint> | undefined,
): void {
  for (const [name, { field, isUsed }] of endpoints ?? []) {
    if (isUsed) continue;
    reader.reportKey(
      field,
      'an endpoint that the ip of a port names',
      () => `No port has ip: ${name}. Remove the endpoint, or add that ip to a port.`,
    );
  }
}

function checkEndpoint(reader: SdlReader, field: SdlField): void {
  const entries = reader.entries(field, 'a map with kind: ip');
  if (entries === undefined) return;
  checkKeys(reader, { field, entries, name: field.name }, { required: ['kind'], known: [] });
  const kind = entries.get('kind');
  if (kind !== undefined && reader.text(kind, 'ip')?.toLowerCase() !== 'ip')
    reader.reportValue(kind, 'ip');
}
