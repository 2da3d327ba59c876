import { formatDecimal } from '../decimal.ts';
import { readSdlDocument } from './document.ts';
import { SdlReader } from './reader.ts';

/** Something in an SDL that is not as it has to be. Line and column count from 1. */
export interface SdlProblem {
  readonly line: number;
  readonly column: number;
  /** For a person: what is wrong and what is expected. */
  readonly sentence: string;
  /** It has no effect, or is a mistake that our host does not mind. */
  readonly isWarning: boolean;
  /** Path like `services.web.expose[0].port`, or `sdl`. */
  readonly field: string;
}

/** What a service definition text says, as far as it can be read. */
export interface SdlReading {
  /** The text's `name`, else the first service's name. */
  readonly name: string | undefined;
  /** With the instances of each over all placements; 0 where that cannot be read. */
  readonly services: readonly { readonly name: string; readonly count: number }[];
  /**
   * What all instances together cost an hour, an exact decimal. Undefined where no service that
   * runs has a price, and where a price or a count of instances cannot be read.
   */
  readonly pricePerHour: string | undefined;
  /** In the order of the text; the first hundred. */
  readonly problems: readonly SdlProblem[];
}

/** An hour in blocks of 6 s. */
const blocksPerHour = 600n;

/**
 * Reads an SDL to show and check it, while it is typed too: any text gives a reading. The problems
 * are those that our host refuses it for, and others that it does not mind but that are mistakes.
 */
export function readSdl(text: string): SdlReading {
  const reader = new SdlReader(text);
  const { name, services, price, isPriced } = readSdlDocument(reader);
  return {
    name,
    services: services.map((service) => ({ name: service.name, count: service.count })),
    pricePerHour:
      price === undefined || !isPriced ? undefined : formatDecimal(price * blocksPerHour),
    problems: reader.mistakes('all').map(({ line, column, sentence, field, isRefused }) => ({
      line,
      column,
      sentence,
      field,
      isWarning: !isRefused,
    })),
  };
}
