import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlReader } from './reader.ts';

/** Checks `gpu: {units, attributes: {vendor: {VENDOR: [{model, ram, interface}]}}}`. */
export function checkGpu(reader: SdlReader, gpu: SdlField | undefined): void {
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
