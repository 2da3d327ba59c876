/** Checks `params` and `credentials` of a service. */
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlReader } from './reader.ts';

/** Checks `params`: volumes, permissions and trusted execution; mistakes are warnings. */
export function checkParams(reader: SdlReader, params: SdlField | undefined): void {
  const field = reader.optional(params);
  if (field === undefined) return;
  reader.asWarnings(() => {
    const entries = reader.entries(field, 'a map with storage');
    if (entries === undefined) return;
    const known = ['storage', 'permissions', 'tee'];
    checkKeys(reader, { field, entries }, { required: [], known });
    for (const part of ['permissions', 'tee'] as const) {
      const partField = reader.optional(entries.get(part));
      if (partField !== undefined) reader.addPart(partField, `params.${part}`);
    }
    checkVolumes(reader, entries.get('storage'));
  });
}

function checkVolumes(reader: SdlReader, storage: SdlField | undefined): void {
  const field = reader.optional(storage);
  if (field === undefined) return;
  const volumes = reader.entries(field, 'a map of volumes by name');
  if (volumes !== undefined && volumes.size > 0) reader.addPart(field, 'params.storage');
  for (const volume of volumes?.values() ?? []) {
    const entries = reader.entries(volume, 'a map with mount');
    if (entries === undefined) continue;
    const name = volume.name;
    checkKeys(
      reader,
      { field: volume, entries, name },
      { required: ['mount'], known: ['readOnly'] },
    );
    const mountField = entries.get('mount');
    const mount = mountField && reader.text(mountField, absolutePath);
    if (mountField !== undefined && mount?.startsWith('/') === false) {
      reader.reportValue(mountField, absolutePath);
    }
    const readOnly = reader.optional(entries.get('readOnly'));
    if (readOnly !== undefined) reader.boolean(readOnly, 'true or false');
  }
}

const absolutePath = 'a path that starts with /';

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
