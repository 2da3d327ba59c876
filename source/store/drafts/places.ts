/** Whether something could be kept on this machine; the sentence says what was not, and why. */
export type WriteResult = { readonly ok: true } | { readonly ok: false; readonly sentence: string };

/** A file of a service, as what is kept of it is told apart. */
export interface LocalPlace {
  readonly deploymentId: string;
  readonly service: string;
  readonly path: string;
}

/** A deployment that is being written and is not created yet. Several are told apart by their ids. */
export interface NewDeployment {
  readonly newDeployment: string;
}

/** What there can be a draft of. */
export type DraftPlace = LocalPlace | NewDeployment;

export function isNewDeployment(place: DraftPlace): place is NewDeployment {
  return 'newDeployment' in place;
}

/** The place as one text, for maps: different places give different texts. */
export function placeKey(place: DraftPlace): string {
  return JSON.stringify(
    isNewDeployment(place)
      ? [place.newDeployment]
      : [place.deploymentId, place.service, place.path],
  );
}

/** The place alone, without what else is known with it. */
export function barePlace(place: DraftPlace): DraftPlace {
  if (isNewDeployment(place)) return { newDeployment: place.newDeployment };
  const { deploymentId, service, path } = place;
  return { deploymentId, service, path };
}

/** Name of the file that a text is, or would be. */
export function fileNameOf(place: DraftPlace): string {
  return isNewDeployment(place) ? 'deployment.yaml' : nameIn(place.path);
}

/** The last part of a path, for sentences. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
