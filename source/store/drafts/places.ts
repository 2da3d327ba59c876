/** The result of a write to this machine's disk; `sentence` reports the failure and its reason. */
export type WriteResult = { readonly ok: true } | { readonly ok: false; readonly sentence: string };

/** The location of a file in a service; the key of its draft and of its copies in the trash. */
export interface LocalPlace {
  readonly deploymentId: string;
  readonly service: string;
  readonly path: string;
}

/** The local id of a deployment definition that is not created yet. */
export interface NewDeployment {
  readonly newDeployment: string;
}

/** The subject of a draft. */
export type DraftPlace = LocalPlace | NewDeployment;

export function isNewDeployment(place: DraftPlace): place is NewDeployment {
  return 'newDeployment' in place;
}

/** Returns a unique text for a place, for keys of maps. */
export function placeKey(place: DraftPlace): string {
  return JSON.stringify(
    isNewDeployment(place)
      ? [place.newDeployment]
      : [place.deploymentId, place.service, place.path],
  );
}

/** Returns the place without other properties of the object. */
export function barePlace(place: DraftPlace): DraftPlace {
  if (isNewDeployment(place)) return { newDeployment: place.newDeployment };
  const { deploymentId, service, path } = place;
  return { deploymentId, service, path };
}

/** Returns the file name of a draft; `deployment.yaml` for a new deployment. */
export function fileNameOf(place: DraftPlace): string {
  return isNewDeployment(place) ? 'deployment.yaml' : nameIn(place.path);
}

/** The trash keeps a discarded definition in the place of a file, but of no deployment. */
const noService = { deploymentId: '', service: '' } as const;

/** Returns the place in the trash of a discarded definition with this name. */
export function definitionPlace(name: string): LocalPlace {
  return { ...noService, path: name };
}

/** Returns whether a place in the trash is that of a definition. */
export function isDefinitionPlace({ deploymentId }: Pick<LocalPlace, 'deploymentId'>): boolean {
  return deploymentId === noService.deploymentId;
}

/** Returns the last part of a path. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
