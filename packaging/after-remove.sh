#!/bin/sh
# After the files are gone, of the deb (remove, purge; not upgrade) and of the rpm (0 copies left). A person's own
# files are theirs.
set -e

case $1 in
  remove | purge | 0) rm -f '/usr/bin/${executable}' ;;
esac
