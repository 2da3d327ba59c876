/** Labels by which a host recognizes its containers, networks and volumes. */
export const labels = {
  host: 'hostdeck.host',
  run: 'hostdeck.run',
  deployment: 'hostdeck.deployment',
  service: 'hostdeck.service',
  instance: 'hostdeck.instance',
  volume: 'hostdeck.volume',
} as const;
