/** What `hostdeck host --help` tells. */
export const hostHelp = `
  Usage
    $ hostdeck host [options]                                        run the host
    $ hostdeck host token --wallet ADDRESS [--data DIR]              print a token
    $ hostdeck host wallet ADDRESS [--balance AMOUNT] [--data DIR]   show or set a balance

  The host is a deployment hosting service on this machine: it runs the services of deployments as
  processes, or as containers. Run as root, it gives each deployment a user id of its own: no
  service runs as root. It answers on 127.0.0.1 in the foreground until it is
  ended. A console without a base URL joins the one that runs on its folder. GET /openapi.json
  describes its API.

  Options
    --port N       port on loopback (7420, or a free one; 0 for a free one)
    --listen ADDRESS[:PORT]
                   another loopback address; or, beside loopback, one that other machines get to
                   (port 7420), 0.0.0.0 or :: for all of them, with a certificate or --insecure.
                   Whoever has a token runs programs here: isolation, or --trust-wallets, is needed
    --tls-cert FILE, --tls-key FILE
                   certificate with its chain, and its key without a passphrase, both PEM
    --insecure     let other machines in without TLS: tokens and files pass in the clear
    --host-name NAME[,NAME...]
                   names it is called by, beside its addresses and localhost; a request with any
                   other Host, or from a web page, is refused
    --runtime process|container|auto
                   what services run as: commands as processes, images refused (process); images as
                   containers, on the Docker or Podman engine that DOCKER_HOST names or whose usual
                   socket answers, services without one refused (container); images as containers
                   and commands without an image as processes (auto)
    --sandbox auto|require|off
                   keep processes apart by bubblewrap: they see a read-only system, a /tmp of their
                   own and their files, as /app; nothing of homes, the data folder and other
                   services. None outlives its service. The network is the machine's. auto (the
                   default) does so where it works, require (--sandbox alone) starts only then
    --trust-wallets
                   run the deployments of every wallet, and listen for other machines, also where
                   nothing keeps services from this user's files. Tokens are free to make
    --data DIR     folder of its records and files ($XDG_DATA_HOME/hostdeck, else
                   ~/.local/share/hostdeck): made when missing; else one that a host made, or an
                   empty one of this user that nobody else can write to. One host a folder
    --leased       end when the last console that joined has left; consoles start theirs so
    --wallet ADDRESS
                   whose token, or whose balance
    --balance N    what the wallet shall hold; a new one holds 1000

  Files, below the data folder
    .hostdeck-data-folder
                   marks the folder as a host's
    host.db        records and hashes of tokens (SQLite)
    logs.db        all log lines (SQLite)
    deployments/   files of the services, staged ones and those that run
    local-token    the token of this user's own wallet, which consoles here use
    host.sock      where consoles and commands of this user reach the host (below the folder for
                   temporary files where the path would be too long)
    host.log       what a host says that a console started
    start-failure.json  why such a host did not start

  Signals
    SIGTERM, SIGINT, SIGHUP
                   end all services, after 10 s by force, and then the host. Deployments come back
                   with the next start, also after a crash

  Exit codes
    0  ended by a signal, or when it was left (--leased), or the command is done
    1  it could not start, or the command failed: why is on stderr
    2  wrong usage
`;
