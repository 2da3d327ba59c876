import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlReader } from './reader.ts';

/** Largest value of each numeric option, in bytes, ms or attempts. */
const maxValues = {
  max_body_size: 104_857_600,
  proxy_buffer_size: 1_048_576,
  read_timeout: 60_000,
  send_timeout: 60_000,
  next_tries: 4_294_967_295,
  next_timeout: 4_294_967_295,
} as const;

const cases = ['error', 'timeout', '403', '404', '429', '500', '502', '503', '504', 'off'];

/** Checks the options of the proxy in front of a port; mistakes are warnings. */
export function checkHttpOptions(reader: SdlReader, httpOptions: SdlField | undefined): void {
  const field = reader.optional(httpOptions);
  if (field === undefined) return;
  reader.asWarnings(() => {
    const entries = reader.entries(field, 'a map of options');
    if (entries === undefined) return;
    const known = [...Object.keys(maxValues), 'next_cases'];
    checkKeys(reader, { field, entries }, { required: [], known });
    for (const [key, max] of Object.entries(maxValues)) {
      const option = reader.optional(entries.get(key));
      if (option !== undefined) reader.integer(option, `a whole number from 0 to ${max}`, 0, max);
    }
    const list = reader.optional(entries.get('next_cases'));
    if (list === undefined) return;
    const expected = `one of ${cases.join(', ')}`;
    const items = reader.items(list, 'a list of cases') ?? [];
    for (const item of items) {
      const text = reader.text(item, expected);
      if (text !== undefined && !cases.includes(text)) reader.reportValue(item, expected);
      else if (text === 'off' && items.length > 1) reader.reportValue(item, 'the only case');
    }
  });
}
