#!/bin/sh
# Runs after the files of the deb or rpm have been installed. The packager replaces ${...}.
set -e

ln -sf '/opt/${sanitizedProductName}/${executable}' '/usr/bin/${executable}'

# SECURITY: Chromium's sandbox needs user namespaces. On hardened kernels, ordinary users can't create usable
# namespaces. Chromium's setuid helper then sets up the sandbox as root instead. The script tries `unshare` as the user
# `nobody`, because root can always create namespaces. If AppArmor decides for each program (Ubuntu since 23.10), the
# result for `unshare` says nothing about Latchkey, so the script doesn't try it and enables the setuid helper.
helper='/opt/${sanitizedProductName}/chrome-sandbox'
by_program=$(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null || true)
if [ "$by_program" != 1 ] &&
  setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user true 2>/dev/null; then
  chmod 0755 "$helper"
else
  chmod 4755 "$helper"
fi
