#!/usr/bin/env bash
# Two container engines in network namespaces of their own form a swarm, beside a registry:
#
#     bed.sh up      starts them, and prints their addresses
#     bed.sh down    ends them, and leaves nothing behind
#     bed.sh kill N  kills an engine with all that it runs, as a power failure does
#     bed.sh start N starts it again
#     bed.sh drain N moves what a node runs to the others
#     bed.sh activate N lets it run something again
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
# Names of interfaces have at most 15 characters.
bridge=$(basename "$bed" | tail -c 15)
registry=$net.254:5000
nodes=(1 2)

usage() {
  sed -n '2,16s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

namespace() { echo "$bridge-n$1"; }

# Runs docker's client on a node's engine.
engine() {
  local node=$1
  shift
  docker -H "unix://$bed/n$node/sock" "$@"
}

# Waits for a command to succeed, for up to a minute.
await() {
  local end=$((SECONDS + 60))
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= end)); then
      echo "bed: no success within a minute: $*" >&2
      return 1
    fi
    sleep 0.2
  done
}

start_network() {
  ip link add "$bridge" type bridge
  ip addr add "$net.254/24" dev "$bridge"
  ip link set "$bridge" up
  for node in "${nodes[@]}"; do
    local space
    space=$(namespace "$node")
    ip netns add "$space"
    ip link add "$bridge$node" type veth peer name eth0 netns "$space"
    ip link set "$bridge$node" master "$bridge" up
    ip -n "$space" addr add "$net.$node/24" dev eth0
    ip -n "$space" link set eth0 up
    ip -n "$space" link set lo up
    ip -n "$space" route add default via "$net.254"
  done
}

start_registry() {
  cat >"$bed/registry.yml" <<EOF
version: 0.1
storage:
  filesystem:
    rootdirectory: $bed/registry
  delete:
    enabled: true
http:
  addr: $registry
EOF
  setsid docker-registry serve "$bed/registry.yml" >"$bed/registry.log" 2>&1 &
  echo $! >"$bed/registry.pid"
  await curl -fsS "http://$registry/v2/"
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
      --cgroup-parent "$4" --label "zone=z$5"
  ' sh "$folder" "$net.$node" "$registry" "/$(namespace "$node")" "$node" \
    >"$folder/log" 2>&1 &
  await engine "$node" info
}

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
  local node
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
  tar -C "$root" -c . | engine 1 import - "$registry/bed/node" >/dev/null
  engine 1 push -q "$registry/bed/node" >/dev/null
  rm -rf "$root"
}

up() {
  if [ -e "$bed" ]; then
    echo "bed: $bed exists. Run: $0 down" >&2
    exit 1
  fi
  trap 'echo "bed: it did not start; what it said is in $bed" >&2' ERR
  mkdir -p "$bed"
  start_network
  start_registry
  for node in "${nodes[@]}"; do start_engine "$node"; done
  join_engines
  push_image
  echo "manager  tcp://$net.1:2375"
  echo "worker   tcp://$net.2:2375"
  echo "registry $registry"
  echo "image    $registry/bed/node"
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
  engine 1 node update --availability "$2" "$id" >/dev/null
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
  for node in "${nodes[@]}"; do stop_node "$node"; done
  if [ -e "$bed/registry.pid" ]; then kill "$(cat "$bed/registry.pid")" 2>/dev/null || true; fi
  for node in "${nodes[@]}"; do
    ip netns del "$(namespace "$node")" 2>/dev/null || true
    ip link del "$bridge$node" 2>/dev/null || true
    find /sys/fs/cgroup -depth -type d -path "*/$(namespace "$node")*" -exec rmdir {} + 2>/dev/null || true
  done
  ip link del "$bridge" 2>/dev/null || true
  # The first namespace of a machine makes this mount.
  if [ -z "$(ls /run/netns 2>/dev/null)" ]; then
    umount /run/netns 2>/dev/null || true
    rmdir /run/netns 2>/dev/null || true
  fi
  rm -rf "$bed"
}

case $#:${1-} in
  1:up) up ;;
  1:down) down ;;
  2:kill) kill_node "$2" ;;
  2:start) start_engine "$2" ;;
  2:drain) set_availability "$2" drain ;;
  2:activate) set_availability "$2" active ;;
  *) usage ;;
esac
