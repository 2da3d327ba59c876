/** Summarises an SDL for display: name, services, price and problems. */
import { formatDecimal } from '../decimal.ts';
import { readSdlDocument } from './document.ts';
import { SdlReader } from './reader.ts';
import { type ResourceLimits, resourceLimits } from './resources.ts';

/** An error or warning in an SDL. Line and column count from 1. */
export interface SdlProblem {
  readonly line: number;
  readonly column: number;
  /** One sentence for a person: the problem and the expected value. */
  readonly sentence: string;
  /** True when hostdeck's own host still accepts the SDL. */
  readonly isWarning: boolean;
  /** Path such as `services.web.expose[0].port`, or `sdl`. */
  readonly field: string;
}

/** A service of an SDL, with the limits of an instance. */
export interface SdlService extends Pick<ResourceLimits, 'cpu' | 'memory'> {
  readonly name: string;
  /** Instances in all placements; 0 if the count is unreadable. */
  readonly count: number;
}

/** The readable content of an SDL. */
export interface SdlSummary {
  /** The text's `name`, else the first service's name. */
  readonly name: string | undefined;
  readonly services: readonly SdlService[];
  /**
   * Price of all instances for an hour, an exact decimal. Undefined if no deployed service has a
   * price, or if a price or a count is unreadable.
   */
  readonly pricePerHour: string | undefined;
  /** The first hundred problems in the order of the text. */
  readonly problems: readonly SdlProblem[];
}

/** Number of blocks of 6 s in an hour. */
export const blocksPerHour = 600n;

/**
 * Reads an SDL to show and check it, also while it is typed: any text has a result. The problems are
 * the errors that hostdeck's own host rejects, and the warnings that it accepts.
 */
export function summariseSdl(text: string): SdlSummary {
  const reader = new SdlReader(text);
  const { name, services, price, isPriced } = readSdlDocument(reader);
  const problems = reader.mistakes('all').map(({ line, column, sentence, field, isError }) => ({
    line,
    column,
    sentence,
    field,
    isWarning: !isError,
  }));
  // Reading the limits reports mistakes again.
  const limits = resourceLimits(reader);
  return {
    name,
    services: services.map((service) => {
      const { cpu, memory } = limits.get(service.name) ?? {};
      return { name: service.name, count: service.count, cpu, memory };
    }),
    pricePerHour:
      price === undefined || !isPriced ? undefined : formatDecimal(price * blocksPerHour),
    problems,
  };
}
