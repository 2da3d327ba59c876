import type { Field } from './field.ts';
import { checkKeys } from './keys.ts';
import type { DocumentReader } from './reader.ts';

const cpuUnits = /^(?:\d+(?:\.\d*)?|\.\d+)m?$/;

const byteSize = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e\d{1,2})?\s*(?:[kmgtpe]i?)?b?$/i;

/**
 * The sizes of a compute profile, `resources.{cpu,memory,storage}`. Hosts differ in what they make
 * of them, so other shapes than the usual ones are left alone.
 */
export function checkSizes(reader: DocumentReader, profile: Field): void {
  const resources = entriesOf(reader, profile)?.get('resources');
  const entries = resources && entriesOf(reader, resources);
  if (resources === undefined || entries === undefined) return;
  const map = { field: resources, entries };
  checkKeys(reader, map, { required: [], known: ['cpu', 'memory', 'storage', 'gpu'] });
  checkSize(reader, entries.get('cpu'), 'units');
  checkSize(reader, entries.get('memory'), 'size');
  const storage = entries.get('storage');
  if (storage === undefined || !reader.isList(storage)) checkSize(reader, storage, 'size');
  else for (const volume of reader.items(storage, '') ?? []) checkSize(reader, volume, 'size');
}

function checkSize(reader: DocumentReader, field: Field | undefined, key: 'units' | 'size'): void {
  if (field === undefined) return;
  if (reader.isMap(field)) {
    const entries = entriesOf(reader, field) ?? new Map<string, Field>();
    checkKeys(reader, { field, entries, name: field.name }, { required: [key], known: [] });
    const size = entries.get(key);
    if (size !== undefined) checkNumber(reader, size, key);
  } else {
    checkNumber(reader, field, key);
  }
}

function checkNumber(reader: DocumentReader, field: Field, key: 'units' | 'size'): void {
  const expected = key === 'units' ? 'like 2, 0.5 or 100m' : 'like 512Mi, 1Gi or 2GB';
  const text = reader.text(field, expected)?.trim();
  if (text === undefined) return;
  const isNumber = (key === 'units' ? cpuUnits : byteSize).test(text);
  if (!isNumber || Number.parseFloat(text) === 0) reader.fail(field, expected);
}

function entriesOf(reader: DocumentReader, field: Field): ReadonlyMap<string, Field> | undefined {
  return reader.isMap(field) ? reader.entries(field, '') : undefined;
}
