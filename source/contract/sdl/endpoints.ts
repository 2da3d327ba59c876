import type { Field } from './field.ts';
import { checkKeys } from './keys.ts';
import type { DocumentReader } from './reader.ts';
import { quoted } from './shown-value.ts';

const endpointName = /^[a-z][-_0-9a-z]+$/;

/**
 * The names of the endpoints that `ip` may refer to. What is wrong with one of them is advised on.
 * Undefined where they cannot be read.
 */
export function readEndpoints(
  reader: DocumentReader,
  field: Field | undefined,
): ReadonlySet<string> | undefined {
  if (field === undefined || reader.isEmpty(field)) return new Set();
  const endpoints = reader.entries(field, 'a map of endpoints by name');
  if (endpoints === undefined) return undefined;
  reader.advise(() => {
    for (const [name, endpoint] of endpoints) {
      if (!endpointName.test(name)) {
        reader.failKey(
          endpoint,
          'a name of small letters, digits, "-" and "_"',
          () =>
            `An endpoint is named with small letters, digits, "-" and "_", not ${quoted(name)}.`,
        );
      }
      checkEndpoint(reader, endpoint);
    }
  });
  return new Set(endpoints.keys());
}

function checkEndpoint(reader: DocumentReader, field: Field): void {
  const entries = reader.entries(field, 'a map with kind: ip');
  if (entries === undefined) return;
  checkKeys(reader, { field, entries, name: field.name }, { required: ['kind'], known: [] });
  const kind = entries.get('kind');
  if (kind !== undefined && reader.text(kind, 'ip')?.toLowerCase() !== 'ip')
    reader.fail(kind, 'ip');
}
