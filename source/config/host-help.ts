/** Help text of `hostdeck host`. */
export const hostHelp = `
  Usage
    $ hostdeck host [options]                                        run the host
    $ hostdeck host token --wallet ADDRESS [--data DIR]              print a token
    $ hostdeck host wallet ADDRESS [--balance AMOUNT] [--data DIR]   show or set a balance
    $ hostdeck host backup FILE [--volumes] [--data DIR]             back up, also while it runs
    $ hostdeck host restore FILE [--data DIR]                        restore to an empty folder

  The host is a deployment hosting service on this machine. It runs services as processes or as
  containers. When it runs as root, each deployment gets its own user id, and no service runs as
  root. It listens on 127.0.0.1 and stays in the foreground until it is stopped. A console without
  a base URL connects to the host of its data folder. GET /openapi.json describes the API.

  Options
    --port N       port on loopback (7420, else a free port; 0: a free port)
    --listen ADDRESS[:PORT]
                   another loopback address; or an additional address for other machines (port
                   7420), 0.0.0.0 or :: for all, with a certificate or --insecure. Anybody with a
                   token runs programs here, so this needs isolation or --trust-wallets
    --tls-cert FILE, --tls-key FILE
                   certificate with its chain, and its key without a passphrase, both PEM
    --insecure     serve other machines without TLS: tokens and files are sent unencrypted
    --host-name NAME[,NAME...]
                   host names to accept besides the addresses and localhost; requests with another
                   Host header, or from a web page, are refused
    --runtime process|container|auto
                   process: run commands as processes, refuse images. container: run images on the
                   Docker or Podman engine of DOCKER_HOST, else of the usual sockets; refuse
                   services without an image. auto: images as containers, commands without an image
                   as processes
    --sandbox auto|require|off
                   isolate processes with bubblewrap: they see a read-only system, their own /tmp
                   and their files in /app, but no home, no data folder and no other service. None
                   outlives its service. The network is shared. auto (default): where it works;
                   require (also --sandbox alone): start only if it works
    --trust-wallets
                   run deployments of every wallet, and listen for other machines, even without
                   isolation of services from this user's files. Anybody here can make tokens
    --keep-closed DURATION
                   remove files, volumes and logs of a deployment this long after its close (7d);
                   12h, 30m, 0: at once. Its record and definition stay
    --min-amount N least price of an instance in definitions of other wallets than this user's, in
                   micro-units for a block of six seconds (1). This user's own may be free
    --max-deployments N, --max-services N, --max-instances N
                   open deployments of a wallet (100), services of a deployment (20), instances of
                   a deployment (50)
    --max-cpu N, --max-memory SIZE, --max-storage SIZE
                   what the open deployments of a wallet may ask for in sum, like 4, 8Gi and 100Gi
                   (no limit). A service must then set it in its compute profile
    --min-free SIZE
                   free disk space below which new work is refused (256Mi; at least 8Mi).
                   Deployments go on, and can be closed
    --max-logs SIZE
                   stored log text of all deployments (2Gi); the largest logs give their oldest
                   lines first. Each may have 128Mi
    --data DIR     data folder ($XDG_DATA_HOME/hostdeck, else ~/.local/share/hostdeck): a missing
                   one is made; an existing one must be a host's, or empty, owned by this user and
                   not writable by others. One host a folder
    --leased       exit when the last console leaves; consoles start their host with this
    --wallet ADDRESS
                   wallet of the token, or of the balance
    --any-address  take any text as a wallet address, for tests
    --balance N    set the balance; new wallets have 1000
    --volumes      back up volumes as well; they are as after a crash, since services write to
                   them meanwhile

  Files, below the data folder
    .hostdeck-data-folder
                   marks the folder as a host's
    host.db        records and hashes of tokens (SQLite)
    logs.db        all log lines (SQLite)
    deployments/   files of the services, staged and running
    local-token    token of this user's own wallet, for consoles on this machine
    backup-in-progress/  parts of a backup that is being written
    host.sock      control socket for consoles and commands of this user (below the temporary
                   folder where the path would be too long)
    host.log       output of a host that a console started
    start-failure.json  reason why such a host did not start
    damaged-TIME/  damaged records or logs that a start has moved aside

  Signals
    SIGTERM, SIGINT, SIGHUP
                   stop all services, by force after 10 s, then exit. Deployments start again with
                   the host, also after a crash

  Exit codes
    0  ended by a signal, left by the last console (--leased), or the command succeeded
    1  the host did not start, or the command failed; the reason is on stderr
    2  wrong usage
`;
