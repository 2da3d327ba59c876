#!/usr/bin/env bash
# Two container engines in network namespaces of their own form a swarm, beside a registry:
#
#     bed.sh up              starts them, and prints their addresses
#     bed.sh down            ends them, and leaves nothing behind
#     bed.sh probe           tries whether containers on them reach each other
#     bed.sh run COMMAND...  runs a command on a bed of its own, and ends with its exit code; with 69
#                            and the reason where no bed can stand
#     bed.sh kill N          kills an engine with all that it runs, as a power failure does
#     bed.sh start N         starts it again
#     bed.sh cut N           takes a node off the network
#     bed.sh heal N          puts it back
#     bed.sh drain N         moves what a node runs to the others
#     bed.sh activate N      lets it run something again
#     bed.sh registry stop   ends the registry
#     bed.sh registry start  starts it again, with what it had
#     bed.sh restore         undoes all of these, and waits until the nodes are ready
#
# HOSTDECK_BED names its folder, and HOSTDECK_BED_NET the first three numbers of its addresses: beds that
# differ in both, down to the name of the folder, stand side by side.
#
# Needs root, and the Debian packages docker.io and docker-registry. The engines of the machine are
# left alone. The registry has the image bed/node, which runs JavaScript: this machine's node with its
# libraries, since images of others cannot be had everywhere.
set -euo pipefail

bed=${HOSTDECK_BED:-/var/tmp/hostdeck-bed}
net=${HOSTDECK_BED_NET:-10.77.0}
nodes=(1 2)
# Exit code of `run` where no bed can stand (sysexits.h, EX_UNAVAILABLE).
unavailable=69

# What a user has set for other engines and networks does not reach these.
unset DOCKER_HOST DOCKER_CONTEXT DOCKER_TLS_VERIFY DOCKER_CERT_PATH
unset HTTP_PROXY HTTPS_PROXY http_proxy https_proxy
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

usage() {
  sed -n '2,/^# HOSTDECK/s/^# \{0,1\}//p' "$0" | head -n -1 >&2
  exit 2
}

# Names of interfaces have at most 15 characters.
link() { basename "$bed" | tail -c 16; }
registry() { echo "$net.254:5000"; }
namespace() { echo "$(link)-n$1"; }
hub() { echo "$(link)-hub"; }

# Runs docker's client on a node's engine.
engine() {
  local node=$1
  shift
  docker --config "$bed/client" -H "unix://$bed/n$node/sock" "$@"
}

# Waits for a command to succeed, for up to a minute.
await() {
  local end=$((SECONDS + 60))
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= end)); then
      echo "no success within a minute: $*" >&2
      return 1
    fi
    sleep 0.2
  done
}

# The bridge is in a namespace, too: where the machine has an engine of its own, rules of its firewall
# may drop what goes over bridges.
start_network() {
  local hub space
  hub=$(hub)
  ip netns add "$hub"
  ip -n "$hub" link set lo up
  ip -n "$hub" link add bridge type bridge
  ip -n "$hub" addr add "$net.254/24" dev bridge
  ip -n "$hub" link set bridge up
  ip link add "$(link)" type veth peer name machine netns "$hub"
  ip -n "$hub" link set machine master bridge up
  ip addr add "$net.253/24" dev "$(link)"
  ip link set "$(link)" up
  for node in "${nodes[@]}"; do
    space=$(namespace "$node")
    ip netns add "$space"
    ip -n "$hub" link add "node$node" type veth peer name eth0 netns "$space"
    ip -n "$hub" link set "node$node" master bridge up
    ip -n "$space" addr add "$net.$node/24" dev eth0
    ip -n "$space" link set eth0 up
    ip -n "$space" link set lo up
    ip -n "$space" route add default via "$net.254"
  done
}

start_registry() {
  cat >"$bed/registry.yml" <<CONF
version: 0.1
storage:
  filesystem:
    rootdirectory: $bed/registry
  delete:
    enabled: true
http:
  addr: $(registry)
CONF
  setsid nsenter "--net=/run/netns/$(hub)" docker-registry serve "$bed/registry.yml" \
    </dev/null >>"$bed/registry.log" 2>&1 &
  echo $! >"$bed/registry.pid"
  await accepts "$net.254" 5000
}

# Succeeds when something accepts connections.
accepts() { (: <"/dev/tcp/$1/$2"); }

stop_registry() {
  local process
  process=$(cat "$bed/registry.pid")
  kill "$process" 2>/dev/null || true
  while [ "$(cat "/proc/$process/comm" 2>/dev/null)" = docker-registry ]; do sleep 0.05; done
}

# `nsenter` and not `ip netns exec`, which hides the control groups. A /run of its own keeps the
# engine's sockets and its namespaces of overlays from those of the other and of the machine.
start_engine() {
  local node=$1
  local folder=$bed/n$1
  mkdir -p "$folder"
  # The script is for the inner shell.
  # shellcheck disable=SC2016
  setsid nsenter "--net=/run/netns/$(namespace "$node")" unshare --mount --uts --fork sh -c '
    hostname "n$5"
    mount -t tmpfs tmpfs /run
    mkdir -p /run/d
    exec dockerd --data-root "$1/data" --exec-root /run/d/x --pidfile /run/d/p.pid \
      --host "unix://$1/sock" --host "tcp://$2:2375" --tls=false --insecure-registry "$3" \
      --exec-opt native.cgroupdriver=cgroupfs --cgroup-parent "$4" --label "zone=z$5"
  ' sh "$folder" "$net.$node" "$(registry)" "/$(namespace "$node")" "$node" \
    </dev/null >"$folder/log" 2>&1 &
  await has_begun "$node" $! && engine "$node" info >/dev/null 2>&1 && return
  echo "an engine does not start: $(tail -n 1 "$folder/log")" >&2
  return 1
}

# Succeeds when an engine answers, or has ended.
has_begun() { engine "$1" info || ! kill -0 "$2"; }

join_engines() {
  engine 1 swarm init --advertise-addr "$net.1" >/dev/null
  local token
  token=$(engine 1 swarm join-token -q worker)
  for node in "${nodes[@]:1}"; do
    engine "$node" swarm join --token "$token" --advertise-addr "$net.$node" "$net.1:2377" >/dev/null
  done
  for node in "${nodes[@]}"; do
    local id
    id=$(engine "$node" info --format '{{.Swarm.NodeID}}')
    engine 1 node update --label-add "zone=z$node" "$id" >/dev/null
  done
}

push_image() {
  local root=$bed/image
  local image node
  image=$(registry)/bed/node
  node=$(realpath "$(command -v "${HOSTDECK_BED_NODE:-node}")")
  mkdir -p "$root/usr/bin" "$root/etc" "$root/tmp" "$root/root"
  cp "$node" "$root/usr/bin/node"
  ldd "$node" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
  # The resolver of the C library loads these at run time.
  for library in /lib/*-linux-gnu/libnss_{dns,files}.so.2 /lib/*-linux-gnu/libresolv.so.2; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
  echo 'root:x:0:0::/root:/bin/false' >"$root/etc/passwd"
  tar -C "$root" -c . | engine 1 import - "$image" >/dev/null
  engine 1 push -q "$image" >/dev/null
  rm -rf "$root"
}

up() {
  if [ -e "$bed" ]; then
    echo "$bed exists. Run: $0 down" >&2
    exit 1
  fi
  trap 'echo "the bed did not start; what it said is in $bed" >&2' ERR
  mkdir -p "$bed/client"
  start_network
  start_registry
  # Each needs seconds to start.
  local starts=()
  for node in "${nodes[@]}"; do
    start_engine "$node" &
    starts+=($!)
  done
  for start in "${starts[@]}"; do wait "$start"; done
  join_engines
  push_image
  trap - ERR
  echo "manager  tcp://$net.1:2375"
  echo "worker   tcp://$net.2:2375"
  echo "registry $(registry)"
  echo "image    $(registry)/bed/node"
}

# Prints the processes of a node: of its engine, and of its containers.
node_processes() {
  local space
  space=$(namespace "$1")
  ip netns pids "$space" 2>/dev/null || true
  cat /sys/fs/cgroup/{,*/}"$space"{,/*}/cgroup.procs 2>/dev/null || true
}

kill_node() {
  local process
  until [ -z "$(node_processes "$1")" ]; do
    for process in $(node_processes "$1"); do kill -KILL "$process" 2>/dev/null || true; done
  done
}

set_availability() {
  local id
  id=$(engine "$1" info --format '{{.Swarm.NodeID}}')
  # Refused while the engine writes the node's state itself ("update out of sequence").
  await engine 1 node update --availability "$2" "$id"
}

# Succeeds when an engine has joined its manager: a manager takes a killed one for ready for some time.
has_joined() { [ "$(engine "$1" info --format '{{.Swarm.LocalNodeState}}')" = active ]; }

# Succeeds when the manager places tasks on all nodes.
all_are_ready() {
  [ "$(engine 1 node ls --format '{{.Status}} {{.Availability}}' | grep -cx 'Ready Active')" = "${#nodes[@]}" ]
}

restore() {
  local node
  accepts "$net.254" 5000 2>/dev/null || start_registry
  for node in "${nodes[@]}"; do
    ip -n "$(hub)" link set "node$node" up
    engine "$node" info >/dev/null 2>&1 || start_engine "$node"
    await has_joined "$node"
  done
  for node in "${nodes[@]}"; do
    all_are_ready || set_availability "$node" active
  done
  await all_are_ready
}

stop_node() {
  local node=$1
  # A swarm's tasks end with its node; a node that hangs is killed below.
  timeout 30 docker -H "unix://$bed/n$node/sock" swarm leave --force >/dev/null 2>&1 || true
  local process
  for process in $(ip netns pids "$(namespace "$node")" 2>/dev/null); do
    if [ "$(cat "/proc/$process/comm" 2>/dev/null)" = dockerd ]; then kill "$process" || true; fi
  done
  local end=$((SECONDS + 20))
  while [ -n "$(node_processes "$node")" ]; do
    if ((SECONDS >= end)); then
      for process in $(node_processes "$node"); do kill -KILL "$process" 2>/dev/null || true; done
    fi
    sleep 0.2
  done
}

down() {
  for node in "${nodes[@]}"; do stop_node "$node" & done
  wait
  if [ -e "$bed/registry.pid" ]; then stop_registry; fi
  for node in "${nodes[@]}"; do
    ip netns del "$(namespace "$node")" 2>/dev/null || true
    find /sys/fs/cgroup -depth -type d -path "*/$(namespace "$node")*" -exec rmdir {} + 2>/dev/null || true
  done
  ip netns del "$(hub)" 2>/dev/null || true
  ip link del "$(link)" 2>/dev/null || true
  # The first namespace of a machine makes this mount.
  if [ -z "$(ls /run/netns 2>/dev/null)" ]; then
    umount /run/netns 2>/dev/null || true
    rmdir /run/netns 2>/dev/null || true
  fi
  rm -rf "$bed"
}

# Prints why no bed can stand here; nothing when one may.
find_obstacle() {
  local command reason
  if [ "$(id -u)" != 0 ]; then
    echo "only root can make network namespaces"
    return
  fi
  for command in ip nsenter unshare setsid flock tar ldd node dockerd docker docker-registry; do
    command -v "$command" >/dev/null && continue
    echo "$command is not installed"
    return
  done
  if ! reason=$(unshare --net --mount --uts true 2>&1); then
    echo "this machine makes no namespaces: $(tail -n 1 <<<"$reason")"
  fi
}

# Chooses a folder and addresses that no other bed of this machine has, as long as this shell lives.
claim_block() {
  local block lock
  for block in $(seq 1 60); do
    # It is kept from children: what outlives a shell that was killed is a bed that nobody uses.
    exec {lock}>>"/run/hostdeck-bed.$block" || continue
    if flock --nonblock "$lock"; then
      bed=/var/tmp/hostdeck-bed$block
      net=10.77.$block
      export HOSTDECK_BED=$bed HOSTDECK_BED_NET=$net
      if [ -e "$bed" ]; then "$0" down {lock}>&-; fi
      if [ -z "$(ip -4 route show root "$net.0/24")" ]; then
        claimed=$lock
        return
      fi
    fi
    exec {lock}>&-
  done
  return 1
}

# Ends this shell with the reason why no bed can stand.
refuse() {
  echo "Tests of a swarm are SKIPPED: $1." >&2
  exit "$unavailable"
}

run() {
  local obstacle said
  obstacle=$(find_obstacle)
  if [ -n "$obstacle" ]; then refuse "$obstacle"; fi
  claim_block || refuse "all its blocks of addresses are taken"
  said=$(mktemp)
  # Single quotes would look for it after this function.
  # shellcheck disable=SC2064
  trap "'$0' down {claimed}>&- || true; rm -f '$said'" EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  if ! timeout -k 5 150 "$0" up {claimed}>&- >"$said" 2>&1; then
    refuse "no bed starts: $(grep -v "^the bed did not start" "$said" | tail -n 1)"
  fi
  if ! timeout -k 5 60 "$0" probe {claimed}>&- >"$said" 2>&1; then
    refuse "$(tail -n 1 "$said" | grep . || echo "containers of two engines do not reach each other")"
  fi
  "$@" {claimed}>&-
}

# Runs a container on each node, which has to reach the other by name, and be reached from here.
probe() {
  local node
  engine 1 network create --driver overlay probe >/dev/null
  engine 1 service create --quiet --detach --name probe --mode global --network probe \
    --endpoint-mode dnsrr --publish mode=host,target=8080,published=8080 --restart-condition none \
    "$(registry)/bed/node" node -e '
      const { lookup } = require("node:dns/promises");
      const http = require("node:http");
      const answers = ({ address }) => new Promise((resolve, reject) => {
        http.get({ host: address, port: 8080, path: "/self" }, resolve).on("error", reject);
      });
      http.createServer(async ({ url }, answer) => {
        if (url === "/self") return answer.end();
        const found = await lookup("tasks.probe", { all: true }).catch(() => []);
        const reached = await Promise.allSettled(found.map(answers));
        answer.end("reaches " + reached.filter(({ status }) => status === "fulfilled").length);
      }).listen(8080);
    ' >/dev/null
  for node in "${nodes[@]}"; do
    if ! await reaches_all "$node" 2>/dev/null; then
      engine 1 service ps --no-trunc --format '{{.Error}}' probe | grep . | head -n 1
      return 1
    fi
  done
  engine 1 service rm probe >/dev/null
  await engine 1 network rm probe
}

# In a shell of its own, which ends where nothing accepts the connection.
reaches_all() (
  exec {stream}<>"/dev/tcp/$net.$1/8080"
  printf 'GET / HTTP/1.0\r\n\r\n' >&"$stream"
  timeout 5 cat <&"$stream" | grep "reaches ${#nodes[@]}"
)

case $#:${1-} in
  1:up) up ;;
  1:down) down ;;
  2:kill) kill_node "$2" ;;
  2:start) start_engine "$2" ;;
  2:cut) ip -n "$(hub)" link set "node$2" down ;;
  2:heal) ip -n "$(hub)" link set "node$2" up ;;
  2:drain) set_availability "$2" drain ;;
  2:activate) set_availability "$2" active ;;
  2:registry)
    case $2 in
      stop) stop_registry ;;
      start) start_registry ;;
      *) usage ;;
    esac
    ;;
  1:restore) restore ;;
  1:probe) probe ;;
  *:run)
    shift
    if [ $# = 0 ]; then usage; fi
    run "$@"
    ;;
  *) usage ;;
esac
