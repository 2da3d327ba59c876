/** Whether something could be kept on this machine; the sentence says what was not, and why. */
export type Kept = { readonly ok: true } | { readonly ok: false; readonly sentence: string };

/** A file of a service, as what is kept of it is told apart. */
export interface KeptPlace {
  readonly deploymentId: string;
  readonly service: string;
  readonly path: string;
}

/** The place as one text, for maps: different places give different texts. */
export function placeKey({ deploymentId, service, path }: KeptPlace): string {
  return JSON.stringify([deploymentId, service, path]);
}

/** The last part of a path, for sentences. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
