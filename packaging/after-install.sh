#!/bin/sh
# After the files are in place, of the deb and of the rpm. The packager fills in what stands in ${...}.
set -e

ln -sf '/opt/${sanitizedProductName}/${executable}' '/usr/bin/${executable}'

# SECURITY: Chromium's sandbox needs user namespaces. Where an ordinary user gets none of use (hardened kernels, Ubuntu
# since 23.10), its helper does the same as root. Asked as nobody, since root always gets them.
helper='/opt/${sanitizedProductName}/chrome-sandbox'
if setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user true 2>/dev/null; then
  chmod 0755 "$helper"
else
  chmod 4755 "$helper"
fi
