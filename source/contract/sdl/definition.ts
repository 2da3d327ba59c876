import type { Atoms } from '../decimal.ts';

/** 1-based place in the SDL's text. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface ExposedPort {
  /** Port that the service listens on. */
  readonly port: number;
  /** Port it is reached by, where that is another one. */
  readonly as?: number | undefined;
  readonly proto: 'tcp' | 'udp' | 'http';
  /** Reachable by everyone rather than by services of the deployment only. */
  readonly global: boolean;
  /** Services of the deployment that may reach it. */
  readonly services: readonly string[];
}

/** A service as the SDL asks for it. */
export interface ServiceDefinition {
  readonly name: string;
  readonly image?: string | undefined;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly expose: readonly ExposedPort[];
  /** Instances, over all placements. */
  readonly count: number;
  /** Services of the deployment that have to run before it starts; never in a circle. */
  readonly dependsOn: readonly string[];
  /** Where the service stands in the text, for later refusals. */
  readonly position: Position;
  /** The place of its `image`; undefined in records of older hosts. */
  readonly imagePosition?: Position | undefined;
}

/** Parts of an SDL that ask for more than processes with ports. */
export type PartName =
  | 'credentials'
  | 'gpu'
  | 'include'
  | 'ip'
  | 'params.permissions'
  | 'params.storage'
  | 'params.tee'
  | 'reclamation';

/** A part that an SDL asks for, and where. */
export interface Part extends Position {
  readonly name: PartName;
}

/** Something that is not as it should be, or has no effect, in an SDL that runs all the same. */
export interface SdlWarning extends Position {
  /** A sentence, and more where it says what to do. */
  readonly message: string;
}

/** What a runtime needs to know of an SDL. Keys it does not know stay in the SDL's text. */
export interface Definition {
  /** The SDL's `name`, else the first service's name. */
  readonly name: string;
  readonly services: readonly ServiceDefinition[];
  /** What all instances together cost a block of 6 s. */
  readonly price: Atoms;
  /** In the order of the text, each where it stands first. */
  readonly parts: readonly Part[];
  /** In the order of the text; the first hundred. */
  readonly warnings: readonly SdlWarning[];
}
