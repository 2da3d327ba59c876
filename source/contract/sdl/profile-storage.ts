/** Reads the storage of a compute profile. */
import type { VolumeKind } from './definition.ts';
import type { SdlField } from './field.ts';
import type { SdlReader } from './reader.ts';
import { parseBytes } from './resources.ts';

/** Name of storage without a name in the SDL: the root of a service's file system. */
const unnamed = 'default';

/** An entry of `resources.storage`. */
export interface ProfileStorage {
  readonly kind: VolumeKind;
  /** Size in bytes; undefined if it is unreadable. */
  readonly size: number | undefined;
  /** Field of `persistent: true`; undefined for storage that is not persistent. */
  readonly persistent: SdlField | undefined;
}

/** Returns the storage of a compute profile by name. Mistakes in it are reported elsewhere. */
export function readProfileStorage(
  reader: SdlReader,
  profile: SdlField,
): ReadonlyMap<string, ProfileStorage> {
  const found = new Map<string, ProfileStorage>();
  const storage = child(reader, child(reader, profile, 'resources'), 'storage');
  if (storage === undefined) return found;
  const entries = reader.isList(storage) ? (reader.items(storage, '') ?? []) : [storage];
  for (const entry of entries) {
    const name = textOf(reader, child(reader, entry, 'name')) ?? unnamed;
    const attributes = child(reader, entry, 'attributes');
    const persistent = child(reader, attributes, 'persistent');
    const isPersistent = textOf(reader, persistent)?.toLowerCase() === 'true';
    const isMemory = textOf(reader, child(reader, attributes, 'class')) === 'ram';
    const size = reader.isMap(entry) ? child(reader, entry, 'size') : entry;
    // The first entry counts where a name is listed twice, which is a warning.
    if (found.has(name)) continue;
    found.set(name, {
      kind: isMemory ? 'memory' : isPersistent ? 'persistent' : 'temporary',
      size: parseBytes(textOf(reader, size) ?? ''),
      persistent: isPersistent ? persistent : undefined,
    });
  }
  return found;
}

/** Returns the entry of a map; undefined for other values, which are reported elsewhere. */
export function child(
  reader: SdlReader,
  field: SdlField | undefined,
  key: string,
): SdlField | undefined {
  return field !== undefined && reader.isMap(field)
    ? reader.entries(field, '')?.get(key)
    : undefined;
}

/** Returns the text of a scalar; undefined for other values, which are reported elsewhere. */
export function textOf(reader: SdlReader, field: SdlField | undefined): string | undefined {
  const isText =
    field !== undefined && !reader.isEmpty(field) && !reader.isMap(field) && !reader.isList(field);
  return isText ? reader.text(field, '') : undefined;
}
