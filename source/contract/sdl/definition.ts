/** The result of parsing an SDL: services, price, parts and warnings. */
import type { Atoms } from '../decimal.ts';

/** Position in the SDL's text, from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface ExposedPort {
  /** Port that the service listens on. */
  readonly port: number;
  /** Port for callers, if different. */
  readonly as?: number | undefined;
  readonly proto: 'tcp' | 'udp' | 'http';
  /** True when everyone may reach the port, not only services of the deployment. */
  readonly global: boolean;
  /** Services of the deployment that may reach the port. */
  readonly services: readonly string[];
  /** Position of `port`; undefined in records of older hosts. */
  readonly position?: Position | undefined;
}

/** A service of an SDL. */
export interface ServiceDefinition {
  readonly name: string;
  readonly image?: string | undefined;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly expose: readonly ExposedPort[];
  /** Number of instances in all placements. */
  readonly count: number;
  /** Services that must run before this one starts, without cycles. */
  readonly dependsOn: readonly string[];
  /** Position of the service in the text, for later errors. */
  readonly position: Position;
  /** Position of `image`; undefined in records of older hosts. */
  readonly imagePosition?: Position | undefined;
}

/** Parts of an SDL beyond processes with ports, which a host may not support. */
export type SdlPartName =
  | 'credentials'
  | 'gpu'
  | 'include'
  | 'ip'
  | 'params.permissions'
  | 'params.storage'
  | 'params.tee'
  | 'reclamation';

/** A part of an SDL with its position. */
export interface SdlPart extends Position {
  readonly name: SdlPartName;
}

/** Instances of a service in one placement, with their price. */
export interface PricedPlacement {
  readonly service: string;
  readonly count: number;
  /** Price of one instance for a block of 6 s. */
  readonly amount: Atoms;
  /** Position of the amount in the text. */
  readonly position: Position;
}

/** A problem that does not prevent the SDL from running. */
export interface SdlWarning extends Position {
  /** One or two sentences: the problem and, if known, its solution. */
  readonly message: string;
}

/** An SDL as a runtime needs it. Unknown keys stay in the SDL's text. */
export interface SdlDefinition {
  /** The SDL's `name`, else the first service's name. */
  readonly name: string;
  readonly services: readonly ServiceDefinition[];
  /** Price of all instances for a block of 6 s. */
  readonly price: Atoms;
  /** Every placement of the services, by service in the order of `deployment`. */
  readonly placements: readonly PricedPlacement[];
  /** Parts in the order of the text, each at its first position. */
  readonly parts: readonly SdlPart[];
  /** The first hundred warnings in the order of the text. */
  readonly warnings: readonly SdlWarning[];
}
