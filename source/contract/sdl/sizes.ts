import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import { child, textOf } from './profile-storage.ts';
import type { SdlReader } from './reader.ts';
import { parseBytes, parseCpu } from './resources.ts';
import { formatPlainText, quoteName } from './shown-text.ts';

/**
 * Checks the sizes of a compute profile, `resources.{cpu,memory,gpu,storage}`. Hosts interpret them
 * differently, so unusual shapes are ignored.
 */
export function checkSizes(reader: SdlReader, profileField: SdlField): void {
  const profile = reader.optional(profileField);
  const entries = profile && entriesOf(reader, profile);
  if (profile === undefined || entries === undefined) return;
  checkKeys(reader, { field: profile, entries }, { required: [], known: ['resources'] });
  const resources = reader.optional(entries.get('resources'));
  const sizes = resources && entriesOf(reader, resources);
  if (resources === undefined || sizes === undefined) return;
  const map = { field: resources, entries: sizes };
  checkKeys(reader, map, { required: [], known: ['cpu', 'memory', 'storage', 'gpu'] });
  checkSize(reader, sizes.get('cpu'), 'units', ['attributes']);
  checkSize(reader, sizes.get('memory'), 'size', ['attributes']);
  checkGpu(reader, sizes.get('gpu'));
  const storage = sizes.get('storage');
  if (storage === undefined || !reader.isList(storage)) checkVolume(reader, storage);
  else checkVolumes(reader, storage);
}

function checkVolumes(reader: SdlReader, list: SdlField): void {
  const names = new Set<string>();
  for (const volume of reader.items(list, '') ?? []) {
    checkVolume(reader, volume);
    const field = reader.optional(entriesOf(reader, volume)?.get('name'));
    // A volume without a name is the root volume of the service.
    const name = field === undefined ? 'default' : reader.text(field, 'the name of a volume');
    if (name === undefined) continue;
    if (names.has(name)) {
      const sentence = () => `Volume ${quoteName(name)} is listed twice.`;
      reader.reportValue(field ?? volume, 'a unique name', sentence);
    }
    names.add(name);
  }
}

function checkVolume(reader: SdlReader, field: SdlField | undefined): void {
  checkSize(reader, field, 'size', ['name', 'attributes']);
  const attributes = reader.optional(field && entriesOf(reader, field)?.get('attributes'));
  const entries = attributes && entriesOf(reader, attributes);
  if (attributes === undefined || entries === undefined) return;
  const map = { field: attributes, entries };
  checkKeys(reader, map, { required: [], known: ['persistent', 'class'] });
  const persistent = entries.get('persistent');
  const isPersistent = persistent && reader.text(persistent, 'true or false');
  if (persistent !== undefined && !/^(?:true|false)$/.test(isPersistent ?? 'true')) {
    reader.reportValue(persistent, 'true or false');
  }
  const classField = entries.get('class');
  const name = classField && reader.text(classField, 'the name of a storage class');
  if (persistent !== undefined && name === 'ram' && isPersistent === 'true') {
    reader.reportValue(persistent, 'false', () => "Storage of class ram can't be persistent.");
  }
}

function checkSize(
  reader: SdlReader,
  field: SdlField | undefined,
  key: 'units' | 'size',
  known: readonly string[],
): void {
  if (field === undefined) return;
  if (reader.isMap(field)) {
    const entries = entriesOf(reader, field) ?? new Map<string, SdlField>();
    checkKeys(reader, { field, entries, name: field.name }, { required: [key], known });
    const size = entries.get(key);
    if (size !== undefined) checkNumber(reader, size, key);
  } else {
    checkNumber(reader, field, key);
  }
}

function checkNumber(reader: SdlReader, field: SdlField, key: 'units' | 'size'): void {
  const expected =
    key === 'units' ? 'a number like 2, 0.5 or 100m' : 'a size like 512Mi, 1Gi or 2GB';
  const text = textOf(reader, field) ?? '';
  if (key === 'size') reportFewBytes(reader, field, text);
  if ((key === 'units' ? parseCpu(text) : parseBytes(text)) !== undefined) return;
  const value = reader.formatValue(field);
  const sentence = () => `${field.name} must be ${expected}, not ${value}, so there is no limit.`;
  reader.reportValue(field, expected, sentence);
}

/** Bytes with which no process starts. */
const tooFewBytes = 2 ** 20;

/** Reports a profile with less memory than any process needs: a service with it would never start. */
export function checkLeastMemory(reader: SdlReader, profile: SdlField): void {
  const memory = child(reader, child(reader, profile, 'resources'), 'memory');
  const size =
    memory !== undefined && reader.isMap(memory) ? child(reader, memory, 'size') : memory;
  const text = textOf(reader, size);
  if (size !== undefined && text !== undefined) reportFewBytes(reader, size, text);
}

/** Reports a size below a MiB, in which a unit may be missing. */
function reportFewBytes(reader: SdlReader, field: SdlField, text: string): void {
  const bytes = parseBytes(text);
  if (bytes === undefined || bytes >= tooFewBytes) return;
  const advice = /^\d+$/.test(text) ? `Did you mean ${text}Mi?` : 'It must be at least 1Mi.';
  reader.reportValue(
    field,
    'at least 1Mi',
    () => `${formatPlainText(text)} is ${bytes} bytes. ${advice}`,
  );
}

function entriesOf(reader: SdlReader, field: SdlField): ReadonlyMap<string, SdlField> | undefined {
  return reader.isMap(field) ? reader.entries(field, '') : undefined;
}

/** Checks `gpu: {units, attributes: {vendor: {VENDOR: [{model, ram, interface}]}}}`. */
function checkGpu(reader: SdlReader, gpu: SdlField | undefined): void {
  const field = reader.optional(gpu);
  if (field === undefined) return;
  if (!reader.isMap(field)) {
    const units = reader.integer(field, unitsExpected, 0, maxUnits);
    if (units !== undefined && units > 0) reader.addPart(field, 'gpu');
    return;
  }
  const entries = reader.entries(field, '') ?? new Map<string, SdlField>();
  checkKeys(reader, { field, entries }, { required: [], known: ['units', 'attributes'] });
  const unitsField = reader.optional(entries.get('units'));
  const units =
    unitsField === undefined ? 0 : reader.integer(unitsField, unitsExpected, 0, maxUnits);
  if (units !== undefined && units > 0) reader.addPart(field, 'gpu');
  const attributes = reader.optional(entries.get('attributes'));
  if (attributes !== undefined) checkVendors(reader, attributes);
}

const maxUnits = 1000;
const unitsExpected = `a whole number from 0 to ${maxUnits}`;

function checkVendors(reader: SdlReader, field: SdlField): void {
  const entries = reader.entries(field, 'a map with vendor');
  if (entries === undefined) return;
  checkKeys(reader, { field, entries, name: 'attributes' }, { required: ['vendor'], known: [] });
  const vendors = entries.get('vendor');
  const byName = vendors && reader.entries(vendors, 'a map of models by vendor');
  for (const models of byName?.values() ?? []) {
    if (reader.isEmpty(models)) continue;
    for (const model of reader.items(models, 'a list of models') ?? []) {
      const modelEntries = reader.entries(model, 'a map with model');
      if (modelEntries === undefined) continue;
      const optionalKeys = ['model', 'ram', 'interface'];
      checkKeys(
        reader,
        { field: model, entries: modelEntries },
        { required: [], known: optionalKeys },
      );
      for (const key of optionalKeys) {
        const value = modelEntries.get(key);
        if (value !== undefined) reader.text(value, 'text');
      }
    }
  }
}
