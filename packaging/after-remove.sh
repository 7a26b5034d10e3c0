#!/bin/sh
# Runs after the package's files have been removed. Deletes the link to the program, unless this is an upgrade of the
# deb or another copy of the rpm is left. Users' own files stay.
set -e

case $1 in
  remove | purge | 0) rm -f '/usr/bin/${executable}' ;;
esac
