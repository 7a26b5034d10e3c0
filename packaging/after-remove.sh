#!/bin/sh
# Runs after the files of the deb (remove, purge; not upgrade) or rpm (0 copies left) have been removed. Users' own
# files stay.
set -e

case $1 in
  remove | purge | 0) rm -f '/usr/bin/${executable}' ;;
esac
