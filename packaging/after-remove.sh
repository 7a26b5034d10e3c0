#!/bin/sh
# Runs after the package's files have been removed. Deletes the link to the program if a deb is removed or purged (not
# upgraded), or if no copy of the rpm is left. Users' own files stay.
set -e

case $1 in
  remove | purge | 0) rm -f '/usr/bin/${executable}' ;;
esac
