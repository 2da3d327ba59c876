/** Labels by which a host recognizes its services, tasks and networks on a cluster. */
export const clusterLabels = {
  host: 'hostdeck.host',
  deployment: 'hostdeck.deployment',
  service: 'hostdeck.service',
  /** Placement of the instances, for a service with several. */
  placement: 'hostdeck.placement',
  /** Number of instances in the placements before. */
  offset: 'hostdeck.offset',
  /** On volumes: their name in the definition. */
  volume: 'hostdeck.volume',
  /** Digest of the plan; a service with an equal one is left alone. */
  plan: 'hostdeck.plan',
  generation: 'hostdeck.generation',
  /** The host that may change the services, and the count of hosts that could. */
  holder: 'hostdeck.holder',
  term: 'hostdeck.term',
  /** The holder's machine and folder, and the time of its claim, for people. */
  place: 'hostdeck.place',
  since: 'hostdeck.since',
  /** On the services of trials: one more instance, which shows whether a version starts. */
  trial: 'hostdeck.trial',
  /** The image of the version that ran before, for the case that the present one fails. */
  before: 'hostdeck.before',
} as const;
