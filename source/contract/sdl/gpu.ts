import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlReader } from './reader.ts';

/** `gpu: {units, attributes: {vendor: {VENDOR: [{model, ram, interface}]}}}`; no units are none. */
export function checkGpu(reader: SdlReader, written: SdlField | undefined): void {
  const field = reader.present(written);
  if (field === undefined) return;
  if (!reader.isMap(field)) {
    const units = reader.integer(field, unitsExpected, 0, mostUnits);
    if (units !== undefined && units > 0) reader.notePart(field, 'gpu');
    return;
  }
  const entries = reader.entries(field, '') ?? new Map<string, SdlField>();
  checkKeys(reader, { field, entries }, { required: [], known: ['units', 'attributes'] });
  const unitsField = reader.present(entries.get('units'));
  const units =
    unitsField === undefined ? 0 : reader.integer(unitsField, unitsExpected, 0, mostUnits);
  if (units !== undefined && units > 0) reader.notePart(field, 'gpu');
  const attributes = reader.present(entries.get('attributes'));
  if (attributes !== undefined) checkVendors(reader, attributes);
}

const mostUnits = 1000;
const unitsExpected = `a whole number from 0 to ${mostUnits}`;

function checkVendors(reader: SdlReader, field: SdlField): void {
  const entries = reader.entries(field, 'a map with vendor');
  if (entries === undefined) return;
  checkKeys(reader, { field, entries, name: 'attributes' }, { required: ['vendor'], known: [] });
  const vendors = entries.get('vendor');
  const byName = vendors && reader.entries(vendors, 'a map of models by vendor');
  for (const models of byName?.values() ?? []) {
    if (reader.isEmpty(models)) continue;
    for (const model of reader.items(models, 'a list of models') ?? []) {
      const wanted = reader.entries(model, 'a map with model');
      if (wanted === undefined) continue;
      const known = ['model', 'ram', 'interface'];
      checkKeys(reader, { field: model, entries: wanted }, { required: [], known });
      for (const key of known) {
        const value = wanted.get(key);
        if (value !== undefined) reader.text(value, 'a text');
      }
    }
  }
}
