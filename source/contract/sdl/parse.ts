import type { RequestErrorDetail } from '../detail.ts';
import type { PricedPlacement, SdlDefinition } from './definition.ts';
import { readSdlDocument } from './document.ts';
import { SdlReader } from './reader.ts';

export type ParsedSdl =
  | { readonly ok: true; readonly definition: SdlDefinition }
  | { readonly ok: false; readonly problems: readonly RequestErrorDetail[] };

/** Parses an SDL to run it; returns its definition, or the first hundred errors. */
export function parseSdl(text: string): ParsedSdl {
  const reader = new SdlReader(text);
  const { name = '', services, price = 0n, placements } = readSdlDocument(reader);
  const refused = reader.mistakes('refused');
  if (refused.length === 0) {
    const warnings = reader
      .mistakes('advised')
      .map(({ line, column, sentence }) => ({ line, column, message: sentence }));
    const parts = reader.parts();
    return { ok: true, definition: { name, services, price, placements, parts, warnings } };
  }
  const problems = refused.map(({ field, expected, line, column }) => ({
    field,
    expected,
    line,
    column,
  }));
  return { ok: false, problems };
}

/** Returns the placements of an SDL that have a readable price and count, whatever else is refused in it. */
export function readSdlPlacements(text: string): readonly PricedPlacement[] {
  return readSdlDocument(new SdlReader(text)).placements;
}
