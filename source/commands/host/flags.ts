/** The flags of `hostdeck host`. */
import type { FlagSpecs } from '../table/described-command.ts';

export const hostFlags = {
  port: {
    type: 'value',
    value: 'N',
    summary: 'port on loopback (7420, else a free port; 0: a free port)',
  },
  listen: {
    type: 'value',
    value: 'ADDRESS[:PORT]',
    summary:
      'another loopback address; or an additional address for other machines (port 7420), 0.0.0.0 or :: for all, with a certificate or --insecure. Anybody with a token runs programs here, so this needs isolation or --trust-wallets',
  },
  'tls-cert': {
    type: 'value',
    value: 'FILE',
    completes: 'local-file',
    summary: 'certificate with its chain, PEM',
  },
  'tls-key': {
    type: 'value',
    value: 'FILE',
    completes: 'local-file',
    summary: 'its key without a passphrase, PEM',
  },
  insecure: {
    type: 'switch',
    summary: 'serve other machines without TLS: tokens and files are sent unencrypted',
  },
  'host-name': {
    type: 'value',
    value: 'NAME[,NAME...]',
    summary:
      'host names to accept besides the addresses and localhost; requests with another Host header, or from a web page, are refused',
  },
  runtime: {
    type: 'value',
    value: 'process|container|auto|swarm',
    choices: ['process', 'container', 'auto', 'swarm'],
    summary:
      'process: run commands as processes, refuse images. container: run images on the Docker or Podman engine of DOCKER_HOST, else of the usual sockets; refuse services without an image. auto: images as containers, commands without an image as processes. swarm: images as services of a Docker swarm, which keep running while the host is down',
  },
  engine: {
    type: 'value',
    value: 'ADDRESS',
    summary:
      'the container engine, or a manager of a swarm: unix:///PATH or tcp://HOST:PORT ($DOCKER_HOST)',
  },
  registry: {
    type: 'value',
    value: 'HOST[:PORT]/PREFIX',
    summary:
      'registry that all nodes of a swarm reach: files of services are pushed to it, as a layer of their image',
  },
  overcommit: {
    type: 'value',
    value: 'N',
    summary: 'nodes of a swarm reserve a limit divided by N (1)',
  },
  'take-over': {
    type: 'switch',
    summary:
      'take over the services on a swarm from another host that has a copy of this data folder; that host can no longer change them. Use it when the other host has ended for good, or its folder was moved',
  },
  sandbox: {
    type: 'value',
    value: 'auto|require|off',
    choices: ['auto', 'require', 'off'],
    summary:
      'isolate processes with bubblewrap: they see a read-only system, their own /tmp and their files in /app, but no home, no data folder and no other service. None outlives its service. The network is shared. auto (default): where it works; require: start only if it works',
  },
  'trust-wallets': {
    type: 'switch',
    summary:
      "run deployments of every wallet, and listen for other machines, even without isolation of services from this user's files. Anybody here can make tokens",
  },
  'keep-closed': {
    type: 'value',
    value: 'DURATION',
    summary:
      'remove files, volumes and logs of a deployment this long after its close (7d); 12h, 30m, 0: at once. Its record and definition stay',
  },
  'min-amount': {
    type: 'value',
    value: 'N',
    summary:
      "least price of an instance in definitions of other wallets than this user's, in micro-units for a block of six seconds (1). This user's own may be free",
  },
  'max-deployments': { type: 'value', value: 'N', summary: 'open deployments of a wallet (100)' },
  'max-services': { type: 'value', value: 'N', summary: 'services of a deployment (20)' },
  'max-instances': { type: 'value', value: 'N', summary: 'instances of a deployment (50)' },
  'max-cpu': {
    type: 'value',
    value: 'N',
    summary:
      'processors that the open deployments of a wallet may ask for in sum, like 4 (no limit). A service must then set it in its compute profile',
  },
  'max-memory': {
    type: 'value',
    value: 'SIZE',
    summary: 'memory that they may ask for in sum, like 8Gi (no limit)',
  },
  'max-storage': {
    type: 'value',
    value: 'SIZE',
    summary: 'storage that they may ask for in sum, like 100Gi (no limit)',
  },
  'min-free': {
    type: 'value',
    value: 'SIZE',
    summary:
      'free disk space below which new work is refused (256Mi; at least 8Mi). Deployments go on, and can be closed',
  },
  'max-logs': {
    type: 'value',
    value: 'SIZE',
    summary:
      'stored log text of all deployments (2Gi); the oldest lines of the largest logs are dropped first. Each deployment may have 128Mi',
  },
  data: {
    type: 'value',
    value: 'DIR',
    completes: 'local-folder',
    summary:
      "data folder ($XDG_DATA_HOME/hostdeck, else ~/.local/share/hostdeck): a missing one is made; an existing one must be a host's, or empty, owned by this user and not writable by others. One host a folder",
  },
  leased: {
    type: 'switch',
    summary: 'exit when the last console leaves; consoles start their host with this',
  },
} as const satisfies FlagSpecs;
