import { expect, test } from 'vitest'
import { findBus } from './addresses.ts'

const NOWHERE = { runtime: undefined, launched: undefined }
const DESKTOP = { runtime: '/run/user/1000/bus', launched: undefined }
const RUNTIME = 'unix:path=/run/user/1000/bus'
const LAUNCHED = { runtime: undefined, launched: 'unix:abstract=/tmp/dbus-AbC,guid=0a' }

test.each<[string, string | undefined, typeof DESKTOP | typeof NOWHERE | typeof LAUNCHED, string]>([
  // Without DBUS_SESSION_BUS_ADDRESS, the bus is at $XDG_RUNTIME_DIR/bus (dbus-daemon(1)).
  ['no variable', undefined, DESKTOP, RUNTIME],
  ['an empty variable', '', DESKTOP, RUNTIME],
  ['the value that Electron sets if the variable is missing', 'disabled:', DESKTOP, RUNTIME],
  ['the variable, although there is a bus in the runtime folder', 'unix:path=/tmp/bus', DESKTOP, 'unix:path=/tmp/bus'],
  ['a bus that dbus-launch started', undefined, LAUNCHED, LAUNCHED.launched],
  // D-Bus specification, "Server Addresses".
  ['escaped separators', 'unix:path=/tmp/a%2cb%3Bc%3d', NOWHERE, 'unix:path=/tmp/a%2cb%3bc%3d'],
  ['characters that lack their escape', 'unix:path=/tmp/my bus ü', NOWHERE, 'unix:path=/tmp/my%20bus%20%c3%bc'],
  ['an abstract socket', 'unix:abstract=/tmp/dbus-x', NOWHERE, 'unix:abstract=/tmp/dbus-x'],
  ['a malformed entry in a list', 'nonsense;unix:path=/tmp/%zz;unix:path=/tmp/bus', NOWHERE, 'unix:path=/tmp/bus'],
  ['a path and an abstract name', 'unix:path=/a,abstract=b', NOWHERE, 'disabled:'],
  // These addresses are only for servers, so a client can't connect to them.
  ['the runtime folder', 'unix:runtime=yes', DESKTOP, 'disabled:'],
  // Electron's children crash when libdbus runs a program.
  ['a program in a list', 'unixexec:path=/bin/false;unix:path=/tmp/bus', NOWHERE, 'unix:path=/tmp/bus'],
  ['autolaunch', 'autolaunch:', LAUNCHED, LAUNCHED.launched],
  ['other transports', 'launchd:env=X;systemd:;nonce-tcp:host=a,port=1;vsock:port=1', NOWHERE, 'disabled:'],
])('finds the session bus: %s', (_, variable, others, expected) => {
  expect(findBus(variable, others)).toBe(expected)
})
