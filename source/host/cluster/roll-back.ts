import { readServicePlacements } from '../../contract/sdl/service-placements.ts';
import type { ObservedDeployment } from './observed-deployment.ts';
import { generationOf, planService } from './plan.ts';
import type { Orchestrator } from './orchestrator.ts';
import type { RolloutParts } from './rollout.ts';
import { pinnedParts } from './volumes/pinned-parts.ts';
import { serviceWaves } from './service-waves.ts';
import { planVersion, storeVersion, findVersion } from './version-plan.ts';

/**
 * Tells the engine to run the generation before again, after a rollout that failed. Services whose
 * instances were not replaced yet are left alone. The image of the generation is the one it had, also
 * when its tag has another one now.
 */
export async function rollBack(
  parts: RolloutParts & { readonly orchestrator: Pick<Orchestrator, 'snapshot'> },
  observed: ObservedDeployment,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  const { record, readSdl, orchestrator, volumeNodes } = parts;
  const placements = readServicePlacements(readSdl());
  // A service that was updated a moment ago is an older one in earlier snapshots.
  observed.observe(await orchestrator.snapshot());
  const pinning = { deployment: record.id, nodes: observed.nodes, volumeNodes };
  for (const wave of serviceWaves(record.services)) {
    for (const part of wave.flatMap((each) =>
      pinnedParts(pinning, each, placements.get(each.name)),
    )) {
      signal.throwIfAborted();
      const present = observed.serviceOf(part);
      if (present !== undefined && generationOf(present) === generation) continue;
      const version =
        findVersion(present, generation) ??
        (await storeVersion(parts, part.service, generation, signal));
      await orchestrator.apply(planService(planVersion(parts, part, version)));
    }
  }
}
