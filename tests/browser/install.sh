#!/usr/bin/env bash
# Sees to it that Chromium is there, by apt-get where need be; else says why not, and exits with 77.
set -euo pipefail

skip() {
    echo "SKIPPED: the tests of the page in a browser: $1"
    exit 77
}

found() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}

install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        chromium fonts-dejavu-core >/dev/null 2>&1
}

! found >/dev/null || exit 0
command -v apt-get >/dev/null || skip "Chromium is not installed, and there is no apt-get"
[ "$(id -u)" = 0 ] || skip "Chromium is not installed, and only root could install it"
install || { apt-get update -qq >/dev/null 2>&1 && install; } ||
    skip "apt-get cannot install chromium"
found >/dev/null || skip "the package chromium brought no browser"
