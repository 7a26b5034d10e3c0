#!/bin/sh
# After the files are in place, of the deb and of the rpm. The packager replaces ${...}.
set -e

ln -sf '/opt/${sanitizedProductName}/${executable}' '/usr/bin/${executable}'

# SECURITY: Chromium's sandbox needs user namespaces. Where an ordinary user gets none of use (hardened kernels), its
# helper does the same as root. Tried as the user `nobody`, because root always gets them; where AppArmor decides
# program by program (Ubuntu since 23.10), what `unshare` gets says nothing of Latchkey.
helper='/opt/${sanitizedProductName}/chrome-sandbox'
by_program=$(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null || true)
if [ "$by_program" != 1 ] &&
  setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user true 2>/dev/null; then
  chmod 0755 "$helper"
else
  chmod 4755 "$helper"
fi
