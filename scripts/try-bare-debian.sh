#!/usr/bin/env bash
# Try the project on a bare Debian 12, in a folder of its own, and print timings.
#
# Usage: scripts/try-bare-debian.sh [--fresh] [--only person|ci] [FOLDER]
#
# Needs root and debootstrap. FOLDER (by default /tmp/meldwise-bare-debian) keeps
# the bare system between runs, so that the next one starts at once; --fresh makes
# it anew. The tree that is tried is the working tree without ignored files.
#
# Two trials, each in a fresh copy of the bare system:
#   person  as an ordinary user, with python3, python3-venv, make and git:
#           the doctor, `make check`, `make test`, `.ci/run`, `make play`
#   ci      as root, with nothing but the base system: `.ci/run`
#
# DEBIAN_MIRROR names another mirror than debootstrap's own.
set -euo pipefail

arguments=("$@")
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
fresh=no
only=both
if [[ ${1-} == --fresh ]]; then fresh=yes; shift; fi
if [[ ${1-} == --only ]]; then only=${2:?person or ci}; shift 2; fi
folder=${1:-/tmp/meldwise-bare-debian}

if ((EUID != 0)); then echo "This needs root." >&2; exit 1; fi
if ! command -v debootstrap >/dev/null; then
    echo "This needs debootstrap: apt-get install debootstrap" >&2
    exit 1
fi

# All mounts are made in a mount namespace that ends with the process: none can be
# left behind. Nothing of this system is ever mounted into the trial, so that
# removing a trial cannot reach anything else.
if [[ ${MELDWISE_TRIAL_NAMESPACE-} != yes ]]; then
    MELDWISE_TRIAL_NAMESPACE=yes exec unshare --mount --propagation private \
        "${BASH_SOURCE[0]}" "${arguments[@]}"
fi

discard() {  # FOLDER: remove it, unless something is mounted in it
    [[ -e $1 ]] || return 0
    if grep -q " $(realpath "$1")/" /proc/self/mounts; then
        echo "Something is mounted in $1: it is left alone." >&2
        exit 1
    fi
    rm -rf --one-file-system -- "$1"
}

mounted=()
unmount() {
    local at
    for at in "${mounted[@]}"; do umount "$at"; done
    mounted=()
}
trap unmount EXIT

attach() {  # TYPE WHERE [OPTIONS...]: mount a file system that has no other home
    mount -t "$1" "${@:3}" "$1" "$2"
    mounted=("$2" "${mounted[@]}")
}

prepare() {  # BASE ROOT: copy the bare system, and the tree into it
    discard "$2"
    cp -a "$1" "$2"
    local at
    for at in proc dev/pts dev/shm; do mkdir -p "$2/$at"; done
    attach proc "$2/proc"
    attach devpts "$2/dev/pts" -o newinstance,ptmxmode=0666,mode=0620
    attach tmpfs "$2/dev/shm" -o mode=1777
    ln -sf pts/ptmx "$2/dev/ptmx"

    # Names are looked up as here, and the certificates that are trusted here are.
    cp -L /etc/resolv.conf /etc/hosts "$2/etc/"
    mkdir -p "$2$certificates"
    local name
    for name in "${!trusted[@]}"; do cp -L "${trusted[$name]}" "$2$certificates/$name"; done

    mkdir -p "$2/home/player/meldwise"
    (cd "$source" && git -c safe.directory="$source" ls-files -z --cached --others --exclude-standard |
        while IFS= read -r -d '' name; do
            if [[ -e $name || -L $name ]]; then printf '%s\0' "$name"; fi
        done | tar --null --files-from=- --create) |
        tar --extract --directory "$2/home/player/meldwise"
}

within() {  # ROOT USER COMMAND...: run a command in the tree, as that user
    local root=$1 user=$2 environment=() name
    shift 2
    for name in "${!kept[@]}"; do environment+=("$name=${kept[$name]}"); done
    for name in "${!trusted[@]}"; do environment+=("$name=$certificates/$name"); done
    chroot --userspec="$user:$user" "$root" /usr/bin/env -i \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME="$([[ $user == root ]] && echo /root || echo /home/player)" LANG=C.UTF-8 \
        TERM=xterm-256color "${environment[@]}" \
        /bin/sh -c 'cd /home/player/meldwise && exec "$@"' sh "$@" </dev/null
}

results=()
failed=no
timed() {  # LABEL ROOT USER COMMAND...
    local label=$1 code=0 start=$EPOCHREALTIME
    shift
    printf '\n=== %s\n' "$label"
    within "$@" || code=$?
    if ((code)); then failed=yes; fi
    results+=("$(awk -v from="$start" -v to="$EPOCHREALTIME" -v code="$code" -v label="$label" \
        'BEGIN { printf "%7.1f s  exit %d  %s", to - from, code, label }')")
}

# How this machine reaches the package registries, if its environment says so.
declare -A kept=() trusted=()
certificates=/etc/trusted-here
for name in PIP_INDEX_URL UV_DEFAULT_INDEX UV_INDEX_URL UV_NATIVE_TLS \
    http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    if [[ -n ${!name-} ]]; then kept[$name]=${!name}; fi
done
for name in SSL_CERT_FILE REQUESTS_CA_BUNDLE PIP_CERT NODE_EXTRA_CA_CERTS; do
    if [[ -f ${!name-} ]]; then trusted[$name]=${!name}; fi
done

mkdir -p "$folder"
if [[ $fresh == yes ]]; then discard "$folder/base-person"; discard "$folder/base-ci"; fi

bare() {  # BASE PACKAGES: make a bare system once
    [[ -e $1/.made ]] && return
    discard "$1"
    echo "Making a bare system in $1 ..."
    debootstrap --variant=minbase ${2:+--include="$2"} bookworm "$1" \
        ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$1.log" 2>&1 || { tail -n 20 "$1.log"; exit 1; }
    rm -f "$1"/var/cache/apt/archives/*.deb
    touch "$1/.made"
}
bare "$folder/base-person" python3,python3-venv,make,git,ca-certificates
bare "$folder/base-ci" ""

# Plays until the page has been answered once.
served=(bash -c 'setsid make play ARGS="--port 8899" & pid=$!
until python3 -c "import urllib.request as u; u.urlopen(\"http://127.0.0.1:8899/\")" 2>/dev/null
do kill -0 $pid || exit 1; sleep 0.2; done
kill -INT -- -$pid; wait $pid; true')

person=$folder/person
if [[ $only != ci ]]; then
    prepare "$folder/base-person" "$person"
    chroot "$person" useradd --uid 1000 --user-group --shell /bin/bash player 2>/dev/null || true
    chroot "$person" chown -R player:player /home/player
    timed "person: scripts/doctor.py" "$person" player python3 scripts/doctor.py
    timed "person: make check (sets up)" "$person" player make check
    timed "person: make check again" "$person" player make check
    timed "person: make test, no browser" "$person" player make test ARGS=--ignore=tests/browser
    timed "person: make play" "$person" player "${served[@]}"
    timed "person: make play again" "$person" player "${served[@]}"
    timed "person: make clean" "$person" player make clean
    timed "person: make play (sets up)" "$person" player "${served[@]}"
    unmount
fi

ci=$folder/ci
if [[ $only != person ]]; then
    prepare "$folder/base-ci" "$ci"
    timed "ci: .ci/run (sets up)" "$ci" root .ci/run
    timed "ci: .ci/run again" "$ci" root .ci/run
    unmount
fi

discard "$person"
discard "$ci"
printf '\n=== Timings\n'
printf '%s\n' "${results[@]}"
[[ $failed == no ]]
