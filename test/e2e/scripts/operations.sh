# Runs every operation of a service by commands, as a script of a person does. It needs hostdeck on the
# PATH, the variables of a service that tells no states, and an empty current folder.
set -Eeuo pipefail
trap 'echo "failed in line $LINENO: $BASH_COMMAND" >&2' ERR

# Succeeds where a text has a line.
has_line() { grep -qxF -- "$2" <<<"$1"; }

# Runs a command that must end with an exit code.
ends_with() {
  local code=0
  "${@:2}" || code=$?
  [ "$code" = "$1" ]
}

cat >app.yaml <<YAML
version: "2.0"
services:
  web:
    command: [sh, -c]
    args: ["while true; do echo hello; sleep 0.2; done"]
profiles:
  compute:
    web: { resources: { memory: { size: 64Mi } } }
  placement:
    here: { pricing: { web: { denom: credits, amount: 1 } } }
deployment:
  web: { here: { profile: web, count: 1 } }
YAML

# The person, this machine and the profiles.
hostdeck whoami >/dev/null
hostdeck doctor >/dev/null
printf '%s' "$HOSTDECK_TOKEN" >token
chmod 600 token
hostdeck profiles add lab --url "$HOSTDECK_BASE_URL" --token-file token
hostdeck profiles use lab
hostdeck profiles list | grep -q "^lab"
hostdeck profiles test lab >/dev/null

# From here on by the profile alone.
unset HOSTDECK_BASE_URL HOSTDECK_TOKEN

# A deployment.
hostdeck deployments create -f app.yaml --dry-run >/dev/null
ends_with 2 hostdeck deployments create -f app.yaml 2>/dev/null
id=$(hostdeck deployments create -f app.yaml --yes --quiet)
has_line "$(hostdeck deployments list --quiet)" "$id"
hostdeck deployments get "$id" | grep -qF "$id"
ends_with 3 hostdeck deployments get no-such-deployment 2>/dev/null
# This service tells no states.
ends_with 1 hostdeck deployments wait "$id" --json 2>errors
grep -qF '"code":"state-unknown"' errors
hostdeck deployments restart "$id" >/dev/null

# Its log: the lines so far, and the live ones until the reader goes.
hostdeck logs "$id" --no-follow | grep -q .
[ "$(hostdeck logs "$id" | head -n 1 | wc -l)" = 1 ]

# Its files.
web=$id/web
printf 'one\n' >one.txt
printf 'two\n' | hostdeck files put - "$web:docs/two.txt" --restart none 2>later
hostdeck files put one.txt "$web:docs/" --restart none 2>/dev/null
has_line "$(hostdeck files list "$web" docs --quiet)" docs/one.txt
[ "$(hostdeck files cat "$web:docs/two.txt")" = two ]
hostdeck files get "$web:docs/one.txt" copy.txt >/dev/null
cmp one.txt copy.txt
hostdeck files mv "$web:docs/one.txt" docs/first.txt --restart none 2>/dev/null
ends_with 3 hostdeck files cat "$web:docs/one.txt" 2>/dev/null
EDITOR='sed -i s/one/ONE/' hostdeck files edit "$web:docs/first.txt" --restart none >/dev/null 2>&1
ends_with 1 hostdeck files diff one.txt "$web:docs/first.txt" --exit-code >changes
grep -qx +ONE changes
hostdeck files rm "$web:docs/two.txt" --yes --restart none >/dev/null 2>&1
ends_with 3 hostdeck files cat "$web:docs/two.txt" 2>/dev/null
mkdir site
printf 'page\n' >site/page.html
hostdeck files sync site "$web:site" --yes --restart none >/dev/null 2>&1
[ "$(hostdeck files cat "$web:site/page.html")" = page ]
rm site/page.html
printf 'other\n' >site/other.html
hostdeck files sync site "$web:site" --delete --yes --restart none >/dev/null 2>&1
[ "$(hostdeck files list "$web" site --quiet)" = site/other.html ]

# The restart that the first upload named.
$(sed -n 's/.*: \(hostdeck deployments restart .*\)/\1/p' later) >/dev/null

# Nothing of it needs attention.
hostdeck watch --once --quiet "$id"

# Grants.
grant=$(hostdeck grants create --grantee "$grantee" --limit 12.5 --expires 2d --yes --quiet)
hostdeck grants list | grep -F "$grant" | grep -qF 12.5
hostdeck grants revoke "$grant" --yes >/dev/null
ends_with 3 hostdeck grants revoke no-such-grant --yes 2>/dev/null

hostdeck deployments close "$id" --yes >/dev/null
hostdeck profiles remove lab --yes
