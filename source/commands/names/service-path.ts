/** Splits `NAME/SERVICE` and `NAME/SERVICE:PATH`. Pure. */

/** A service of a deployment as it was typed, and a path in it. */
export interface ServicePath {
  /** Typed name or id of the deployment. */
  readonly deployment: string;
  readonly service: string;
  /** Path behind the colon, as typed; undefined without a colon. */
  readonly path: string | undefined;
}

/**
 * Returns every way to split a text. A service has neither a slash nor a colon in its name, but a
 * deployment may have both, and so may a path: `a/b:c/d` is the path `c/d` in service b of a, or
 * service d of `a/b:c`. The deployments that there are decide.
 */
export function splitServicePath(text: string): readonly ServicePath[] {
  const found: ServicePath[] = [];
  for (let slash = text.indexOf('/'); slash !== -1; slash = text.indexOf('/', slash + 1)) {
    const [service = '', end = ''] = /^([^/:]+)(:|$)/.exec(text.slice(slash + 1))?.slice(1) ?? [];
    if (slash === 0 || service === '') continue;
    const path = end === ':' ? text.slice(slash + 1 + service.length + 1) : undefined;
    found.push({ deployment: text.slice(0, slash), service, path });
  }
  return found;
}

/** Returns the text that splits into a service and a path. */
export function joinServicePath({ deployment, service, path }: ServicePath): string {
  return `${deployment}/${service}${path === undefined ? '' : `:${path}`}`;
}
