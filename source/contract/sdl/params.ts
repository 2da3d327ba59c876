/** Reads `params` and checks `credentials` of a service. */
import type { VolumeDefinition } from './definition.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlReader } from './reader.ts';
import { type MountingService, readVolumes } from './volumes.ts';

/** Reads the volumes in `params`, and checks the rest of it, whose mistakes are warnings. */
export function readParams(
  reader: SdlReader,
  params: SdlField | undefined,
  service: MountingService,
): readonly VolumeDefinition[] {
  const field = reader.optional(params);
  if (field === undefined) return [];
  let entries: ReadonlyMap<string, SdlField> | undefined;
  reader.asWarnings(() => {
    entries = reader.entries(field, 'a map with storage');
    if (entries === undefined) return;
    const known = ['storage', 'permissions', 'tee'];
    checkKeys(reader, { field, entries }, { required: [], known });
    for (const part of ['permissions', 'tee'] as const) {
      const partField = reader.optional(entries.get(part));
      if (partField !== undefined) reader.addPart(partField, `params.${part}`);
    }
  });
  return readVolumes(reader, entries?.get('storage'), service);
}

/** Checks `credentials` for the image registry; mistakes are warnings. */
export function checkCredentials(reader: SdlReader, credentials: SdlField | undefined): void {
  const field = reader.optional(credentials);
  if (field === undefined) return;
  reader.addPart(field, 'credentials');
  reader.asWarnings(() => {
    const entries = reader.entries(field, 'a map with host, username and password');
    if (entries === undefined) return;
    const required = ['host', 'username', 'password'];
    checkKeys(reader, { field, entries, name: 'credentials' }, { required, known: ['email'] });
    for (const key of required) {
      const value = entries.get(key);
      if (value !== undefined) reader.text(value, 'text');
    }
  });
}
