import type { EngineVolumeSource } from '../../../source/host/backup/engine-volumes.ts';
import { volumeSourceOf } from '../../../source/host/make-runtime.ts';

/** Returns the engine's volumes of a host for a backup; the engine is the one of the tests. */
export function engineVolumesOf(identity: string): EngineVolumeSource {
  return volumeSourceOf(identity, process.env);
}
