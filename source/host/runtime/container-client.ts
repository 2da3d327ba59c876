import Docker from 'dockerode';

/**
 * A client of the engine there. In a module of its own, as only a host that runs containers loads
 * it.
 */
export function engineClient(options: Docker.DockerOptions): Docker {
  // Without a host of its own the one that DOCKER_HOST names would be taken.
  return new Docker({ host: undefined, ...options });
}
