# Runs every operation of a service by commands with --json, and reads their results with jq alone. It
# needs hostdeck and jq on the PATH, the variables of a service that tells states, and an empty current
# folder.
set -Eeuo pipefail
trap 'echo "failed in line $LINENO: $BASH_COMMAND" >&2' ERR

# Runs a command with --json and prints what a jq filter makes of its result; fails for false and null.
read_json() {
  local filter=$1
  shift
  hostdeck "$@" --json 2>errors | jq -er "$filter" && return
  echo "not $filter: $*" >&2
  cat errors >&2
  return 1
}

# Succeeds where a command ends with an exit code and an error of this code on stderr.
refuses() {
  local exit=0
  hostdeck "${@:3}" --json >/dev/null 2>errors || exit=$?
  [ "$exit" = "$1" ] && jq -es --arg code "$2" 'any(.error.code == $code)' errors >/dev/null
}

jq -n '{
  version: "2.0",
  services: { web: { command: ["sh", "-c"], args: ["while true; do echo hello; sleep 0.2; done"] } },
  profiles: {
    compute: { web: { resources: { memory: { size: "64Mi" } } } },
    placement: { here: { pricing: { web: { denom: "credits", amount: 1 } } } }
  },
  deployment: { web: { here: { profile: "web", count: 1 } } }
}' >app.yaml

read_json .service whoami >/dev/null
read_json 'all(.state != "fail")' doctor >/dev/null
printf '%s' "$HOSTDECK_TOKEN" >token
chmod 600 token
hostdeck profiles add lab --url "$HOSTDECK_BASE_URL" --token-file token --json >/dev/null
hostdeck profiles use lab --json >/dev/null 2>&1
read_json 'any(.name == "lab")' profiles list >/dev/null
hostdeck profiles test lab --json | jq -e . >/dev/null
unset HOSTDECK_BASE_URL HOSTDECK_TOKEN

read_json '.result == "would be created"' deployments create -f app.yaml --dry-run >/dev/null
refuses 2 usage deployments create -f app.yaml
id=$(read_json .id deployments create -f app.yaml --yes)
read_json "any(.id == \"$id\")" deployments list >/dev/null
read_json "select(.id == \"$id\")" deployments get "$id" >/dev/null
refuses 3 not-found deployments get no-such-deployment
read_json .state deployments wait "$id" --timeout 60s >/dev/null
hostdeck deployments restart "$id" --wait --timeout 60s --json | jq -es last.state >/dev/null

hostdeck logs "$id" --no-follow --json | jq -es 'all(.type == "log") and length > 0' >/dev/null
hostdeck logs "$id" --json | head -n 1 | jq -e .logLine >/dev/null

web=$id/web
printf 'one\n' >one.txt
printf 'two\n' >two.txt
read_json 'all(.result == "uploaded")' files put one.txt two.txt "$web:docs/" --restart none >/dev/null
read_json '[.[].path] | sort == ["docs/one.txt", "docs/two.txt"]' files list "$web" docs >/dev/null
[ "$(read_json .content files cat "$web:docs/two.txt")" = two ]
read_json '.[0].result == "saved"' files get "$web:docs/one.txt" copy.txt >/dev/null
cmp one.txt copy.txt
read_json '.[0].from == "docs/one.txt"' files mv "$web:docs/one.txt" docs/first.txt --restart none >/dev/null
refuses 3 not-found files cat "$web:docs/one.txt"
EDITOR='sed -i s/one/ONE/' read_json '.[0].result == "saved"' files edit "$web:docs/first.txt" --restart none \
  >/dev/null
read_json '.result == "different"' files diff one.txt "$web:docs/first.txt" >/dev/null
read_json '.[0].result == "deleted"' files rm "$web:docs/two.txt" --yes --restart none >/dev/null
refuses 3 not-found files cat "$web:docs/two.txt"
mkdir site
printf 'page\n' >site/page.html
read_json '.counts.create == 1' files sync site "$web:site" --yes --restart none >/dev/null
rm site/page.html
printf 'other\n' >site/other.html
read_json '.counts == (.counts + { create: 1, delete: 1 })' \
  files sync site "$web:site" --delete --yes --restart none >/dev/null
read_json '[.[].path] == ["site/other.html"]' files list "$web" site >/dev/null

grant=$(read_json .id grants create --grantee "$grantee" --limit 12.5 --expires 2d --yes)
read_json "any(.id == \"$grant\" and .limit == 12.5)" grants list >/dev/null
read_json '.[0].result == "revoked"' grants revoke "$grant" --yes >/dev/null
refuses 3 not-found grants revoke no-such-grant --yes

read_json '.[0].result == "closed"' deployments close "$id" --yes >/dev/null
hostdeck profiles remove lab --yes --json >/dev/null
