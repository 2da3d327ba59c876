import path from 'node:path';
import { type DraftPlace, isNewDeployment } from '../store/drafts/places.ts';
import { hashedName } from './state-folder.ts';

/** Returns the folder of a service's drafts; `service` is the base URL or data folder. */
export function draftsFolder(stateFolder: string, service: string): string {
  return path.join(stateFolder, 'drafts', hashedName(service));
}

/** Returns the part of a file name that stands for the place of a draft. */
export function draftStem(place: DraftPlace): string {
  return isNewDeployment(place)
    ? hashedName(place.newDeployment)
    : hashedName(place.deploymentId, place.service, place.path);
}
