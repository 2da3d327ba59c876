/**
 * Modes of running services. `process`: commands run as processes, images are refused. `container`:
 * images run as containers, services without one are refused. `auto`: images run as containers,
 * commands as processes. `swarm`: images run as services of a swarm, those without one are refused.
 */
export type RuntimeName = 'process' | 'container' | 'auto' | 'swarm';
