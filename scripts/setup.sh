# shellcheck shell=sh
# What ./pathshift and ./test share: which tools are missing, and how to get them.
# Only tools that are missing are installed; with all of them there, nothing here touches the system.

packages=''

say() {
    printf 'pathshift: %s\n' "$*" >&2
}

has() {
    command -v "$1" >/dev/null 2>&1
}

# want COMMAND PACKAGE...: PACKAGEs are needed if COMMAND is missing.
want() {
    has "$1" && return
    shift
    packages="$packages $*"
}

# want_header HEADER PACKAGE: PACKAGE is needed if the C++ compiler does not find HEADER.
want_header() {
    if has c++ && printf '#include <%s>\n' "$1" | c++ -E -x c++ - >/dev/null 2>&1; then
        return
    fi
    packages="$packages $2"
}

# What building the SMT solver Bitwuzla needs.
want_bitwuzla() {
    want c++ g++
    want_header gmpxx.h libgmp-dev
    want_header symfpu/core/unpackedFloat.h libsymfpu-dev
}

# Any clang from 14 on will do; clang 19 is the one to install.
want_clang() {
    version=40
    while [ "$version" -ge 14 ]; do
        has "clang-$version" && return
        version=$((version - 1))
    done
    if has clang; then
        version=$(clang --version | sed -n '1s/.*version \([0-9]*\).*/\1/p')
        [ "${version:-0}" -ge 14 ] && return
    fi
    packages="$packages clang-19"
}

# Rust cannot come from a package: distributions have older versions.
need_cargo() {
    PATH=$PATH:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin
    has cargo && return
    say "cargo is missing. Install Rust, then try again:"
    say "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y"
    exit 4
}

# Installs $packages, or says how to.
install_packages() {
    [ -n "$packages" ] || return 0
    if ! has apt-get; then
        say "these Debian packages, or what your system has in their place, are needed:$packages"
        exit 4
    fi
    if [ "$(id -u)" -ne 0 ]; then
        choose_available
        [ -n "$packages" ] || return 0
        say "some packages are missing. Install them, then try again:"
        say "  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends$packages'"
        exit 4
    fi
    log=$(mktemp)
    if ! apt-get update -qq >"$log" 2>&1; then
        say "apt-get update failed; going on with the package lists that are there"
    fi
    choose_available
    if [ -n "$packages" ]; then
        say "installing$packages"
        # shellcheck disable=SC2086 # several packages
        if ! DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >"$log" 2>&1; then
            cat "$log" >&2
            rm -f "$log"
            say "installing$packages failed"
            exit 4
        fi
    fi
    rm -f "$log"
}

# Replaces what the distribution does not have: clang 19 by its newest clang, the rest by nothing. Without package lists
# nothing is known, and nothing is replaced.
choose_available() {
    [ -n "$(apt-cache pkgnames clang 2>/dev/null | head -n 1)" ] || return 0
    chosen=''
    for package in $packages; do
        if is_available "$package"; then
            chosen="$chosen $package"
        elif [ "$package" = clang-19 ]; then
            chosen="$chosen $(newest_clang)"
        else
            say "this distribution has no $package; going on without it"
        fi
    done
    packages=$chosen
}

is_available() {
    apt-cache show --no-all-versions "$1" >/dev/null 2>&1
}

newest_clang() {
    for version in $(apt-cache pkgnames clang- | sed -n 's/^clang-\([0-9][0-9]*\)$/\1/p' | sort -rn); do
        if [ "$version" -ge 14 ] && is_available "clang-$version"; then
            echo "clang-$version"
            return
        fi
    done
    echo clang
}
