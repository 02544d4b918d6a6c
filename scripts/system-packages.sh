#!/usr/bin/env bash
# Installs from Debian what the tests of a real MediaWiki need. At once done when all is there; where it cannot install
# it says so in one line and exits 0, for those tests skip themselves.
set -euo pipefail

# mediawiki asks for some web server and some PHP module of one. mini-httpd is the one that stays off after it is
# installed (Apache would open port 80), php-cgi the one that needs no server. The wiki itself is served by `php -S`.
packages=(mediawiki php-cli php-cgi php-sqlite3 mini-httpd)

installed() {
    command -v php >/dev/null && [ -f /usr/share/mediawiki/maintenance/install.php ] &&
        php -r 'foreach (["pdo_sqlite", "intl", "mbstring", "xml"] as $name) extension_loaded($name) or exit(1);'
}

give_up() {
    echo "system-packages: no MediaWiki, so its tests will skip: $1"
    exit 0
}

installed && exit 0
command -v apt-get >/dev/null || give_up "no apt-get here; wanted: MediaWiki in /usr/share/mediawiki, PHP with pdo_sqlite"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || give_up "not root; type: sudo apt-get install --no-install-recommends ${packages[*]}"
    as_root=(sudo -n)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    # ${a[@]+…}: an empty array is an unset variable to bash before 4.4.
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=60 "$@" >>"$log" 2>&1
}
echo "system-packages: installing ${packages[*]}"
apt update || echo "system-packages: the package lists could not be refreshed; trying those that are here"
apt install -y --no-install-recommends "${packages[@]}" || give_up "apt-get failed: $(grep -m1 '^E:' "$log" || tail -n1 "$log")"
installed || give_up "the packages are installed, but PHP lacks a module: $(php -m | tr '\n' ' ')"
