#!/bin/sh
# Starts hostdeck with the Node of this archive. It may be linked to from any folder of the PATH.
program=$0
while [ -L "$program" ]; do
  target=$(readlink "$program")
  case $target in
    /*) program=$target ;;
    *) program=$(dirname "$program")/$target ;;
  esac
done
folder=$(cd "$(dirname "$program")/.." && pwd) || exit 1

# Node is linked with two libraries that a small system may lack. The loader names the one that it
# misses, but not the package that brings it.
has_library() {
  for file in /lib/*/"$1" /usr/lib/*/"$1" /lib64/"$1" /usr/lib64/"$1" /usr/lib/"$1"; do
    [ -e "$file" ] && return
  done
  return 1
}
if ! has_library libatomic.so.1 || ! has_library libstdc++.so.6; then
  echo "hostdeck needs libatomic and libstdc++. On Debian and Ubuntu: apt install libatomic1 libstdc++6" >&2
fi

exec "$folder/lib/node/bin/node" "$folder/dist/cli.js" "$@"
