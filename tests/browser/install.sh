#!/usr/bin/env bash
# Sees to it that Chromium is there, by apt-get where need be; else says why not, and exits with 77.
# Its headless shell opens a page in half of the time, so it is asked for first. Firefox opens the page, too, where apt-get has
# it: the tests do without.
set -euo pipefail

skip() {
    echo "SKIPPED: the tests of the page in a browser: $1"
    exit 77
}

install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        "$1" fonts-dejavu-core >/dev/null 2>&1
}

installed() {
    install chromium-headless-shell || install chromium
}

if ! command -v firefox-esr >/dev/null && ! command -v firefox >/dev/null; then
    install firefox-esr || true
fi
! command -v chromium-headless-shell >/dev/null || exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    installed || { apt-get update -qq >/dev/null 2>&1 && installed; } || true
fi
for browser in chromium-headless-shell chromium chromium-browser google-chrome; do
    ! command -v "$browser" >/dev/null || exit 0
done
command -v apt-get >/dev/null || skip "Chromium is not installed, and there is no apt-get"
[ "$(id -u)" = 0 ] || skip "Chromium is not installed, and only root could install it"
skip "apt-get cannot install chromium"
