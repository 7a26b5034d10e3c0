#!/usr/bin/env bash
# Replaces fpm for test builds on machines without it: `fpm -s dir -t deb` runs dpkg-deb. electron-builder calls this
# program if CUSTOM_FPM_PATH names it.
set -euo pipefail

declare -A option=()
mappings=()
while (($# > 0)); do
  case $1 in
    --force) shift ;;
    -*)
      option[$1]=${option[$1]:+${option[$1]}, }$2
      shift 2
      ;;
    *)
      mappings+=("$1")
      shift
      ;;
  esac
done
[ "${option[-s]}, ${option[-t]}" = 'dir, deb' ] || { echo 'only -s dir -t deb' >&2; exit 1; }

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
# Each FROM=TO is copied. If a FROM ends in a slash, only the folder's content is copied.
for mapping in "${mappings[@]}"; do
  from=${mapping%=*} to=$stage/${mapping##*=}
  mkdir -p "$(dirname "$to")"
  [ "$from" = "${from%/}" ] || from=$from.
  cp -aT "$from" "$to"
done
size=$(du -sk --apparent-size "$stage" | cut -f1)
mkdir "$stage/DEBIAN"
install -m 755 "${option[--after-install]}" "$stage/DEBIAN/postinst"
install -m 755 "${option[--after-remove]}" "$stage/DEBIAN/postrm"

# The package's control file (deb-control(5)).
field() { [ -z "$2" ] || printf '%s: %s\n' "$1" "$2"; }
{
  field Package "${option[--name]}"
  field Version "${option[--version]}"
  field Architecture "${option[--architecture]}"
  field Maintainer "${option[--maintainer]}"
  field Installed-Size "$size"
  field Depends "${option[-d]:-}"
  field Recommends "${option[--deb-recommends]:-}"
  field Section "${option[--category]:-}"
  field Priority "${option[--deb-priority]:-}"
  field Homepage "${option[--url]:-}"
  field Description "${option[--description]}" | sed '2,$ { s/^ *//; s/^$/./; s/^/ /; }'
} >"$stage/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$stage" "${option[--package]}"
