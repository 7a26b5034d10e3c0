#!/bin/sh
# Runs after the files of the deb or rpm have been installed. The packager replaces ${...}.
set -e

ln -sf '/opt/${sanitizedProductName}/${executable}' '/usr/bin/${executable}'

# SECURITY: Chromium's sandbox needs user namespaces. Where the kernel refuses them to ordinary users, Chromium's setuid
# helper sets up the sandbox instead, as root. `unshare` runs as `nobody` here, because root may always create them.
# Where AppArmor decides for each program (Ubuntu since 23.10), the result of `unshare` says nothing about Latchkey, so
# the helper is used.
helper='/opt/${sanitizedProductName}/chrome-sandbox'
by_program=$(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null || true)
if [ "$by_program" != 1 ] &&
  setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user true 2>/dev/null; then
  chmod 0755 "$helper"
else
  chmod 4755 "$helper"
fi
