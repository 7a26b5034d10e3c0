#!/bin/sh
# Draws the app's and the tray's icons from the SVGs in this folder. The pictures are committed.
# Debian: `apt-get install librsvg2-bin icoutils`
#
# The tray's key has five shapes, which users can tell apart without colour and at 16 pixels. A program can't determine
# the colour of a panel: the bright brass (#e0b560) contrasts with a dark panel, and the ink outline (#12161c) with a
# light one, each at 4.5:1 or more.
set -eu
cd "$(dirname "$0")"
icons=../../main/surfaces/icons
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

draw() { rsvg-convert -w "$2" -h "$2" "$1.svg" -o "$3"; }
# A picture of each size, in one Windows icon file.
ico() {
  icon=$1
  shift
  for size; do draw "$icon" "$size" "$work/$icon-$size.png"; done
  for size; do set -- "$@" --raw="$work/$icon-$size.png"; shift; done
  icotool -c -o "$icons/$icon.ico" "$@"
}

for icon in signedIn refreshing unreachable attention signedOut; do
  # Linux: in the sizes that panels ask for. Windows: 16 pixels at 100 %, 125 %, 150 % and 200 %.
  draw "$icon" 24 "$icons/$icon.png"
  draw "$icon" 48 "$icons/$icon@2x.png"
  ico "$icon" 16 20 24 32
  # macOS colours template images itself and only uses their shape (Human Interface Guidelines: 16 pt).
  draw "${icon}Template" 16 "$icons/${icon}Template.png"
  draw "${icon}Template" 32 "$icons/${icon}Template@2x.png"
done
draw app 512 "$icons/app.png"
draw app 128 "$icons/window.png"
ico app 16 20 24 32 48 64 128 256
for size in 16 24 32 48 64 128 256 512; do draw app "$size" "../../packaging/icons/${size}x$size.png"; done
# app.icns comes from app-macos.svg, whose margins are wider (Human Interface Guidelines: 824 of 1024), with
# a Mac's `iconutil`.
