import { expect, test } from 'vitest'
import { findBus, parseAddresses } from './addresses.ts'

const NOWHERE = { runtime: undefined, launched: undefined }
const DESKTOP = { runtime: '/run/user/1000/bus', launched: undefined }
const RUNTIME = 'unix:path=/run/user/1000/bus'
const LAUNCHED = { runtime: undefined, launched: 'unix:abstract=/tmp/dbus-AbC,guid=0a' }

test.each<[string, string | undefined, typeof DESKTOP | typeof NOWHERE | typeof LAUNCHED, string]>([
  // Without DBUS_SESSION_BUS_ADDRESS, the bus is at $XDG_RUNTIME_DIR/bus (dbus-daemon(1)).
  ['no variable', undefined, DESKTOP, RUNTIME],
  ['an empty variable', '', DESKTOP, RUNTIME],
  ['the value that Electron sets if the variable is missing', 'disabled:', DESKTOP, RUNTIME],
  ['no variable and no bus', undefined, NOWHERE, 'disabled:'],
  ['an empty variable and no bus', '', NOWHERE, 'disabled:'],
  [
    'a runtime folder with characters to escape',
    '',
    { ...DESKTOP, runtime: '/run/a b:c/bus' },
    'unix:path=/run/a%20b%3ac/bus',
  ],
  ['the variable, although there is a bus in the runtime folder', 'unix:path=/tmp/bus', DESKTOP, 'unix:path=/tmp/bus'],
  ['a bus that dbus-launch started', undefined, LAUNCHED, LAUNCHED.launched],
  // D-Bus specification, "Server Addresses".
  ['a list', 'unix:path=/nope;unix:path=/real', DESKTOP, 'unix:path=/nope;unix:path=/real'],
  ['a guid', 'unix:path=/tmp/bus,guid=0123456789abcdef', NOWHERE, 'unix:path=/tmp/bus,guid=0123456789abcdef'],
  ['escapes', 'unix:path=/tmp/%6dy%20bus', NOWHERE, 'unix:path=/tmp/my%20bus'],
  ['escaped separators', 'unix:path=/tmp/a%2cb%3Bc%3d', NOWHERE, 'unix:path=/tmp/a%2cb%3bc%3d'],
  ['escaped UTF-8', 'unix:path=/tmp/%c3%bc', NOWHERE, 'unix:path=/tmp/%c3%bc'],
  ['characters that lack their escape', 'unix:path=/tmp/my bus ü', NOWHERE, 'unix:path=/tmp/my%20bus%20%c3%bc'],
  ['an equals sign in a value', 'unix:path=/tmp/a=b', NOWHERE, 'unix:path=/tmp/a%3db'],
  ['an abstract socket', 'unix:abstract=/tmp/dbus-x', NOWHERE, 'unix:abstract=/tmp/dbus-x'],
  ['TCP', 'tcp:host=127.0.0.1,port=4711', NOWHERE, 'tcp:host=127.0.0.1,port=4711'],
  ['a separator at the end', 'unix:path=/tmp/bus;', NOWHERE, 'unix:path=/tmp/bus'],
  ['a malformed entry in a list', 'nonsense;unix:path=/tmp/%zz;unix:path=/tmp/bus', NOWHERE, 'unix:path=/tmp/bus'],
  ['a wrong escape', 'unix:path=/tmp/%2', NOWHERE, 'disabled:'],
  ['a path and an abstract name', 'unix:path=/a,abstract=b', NOWHERE, 'disabled:'],
  // These addresses are only for servers, so a client can't connect to them.
  ['a folder', 'unix:dir=/tmp', DESKTOP, 'disabled:'],
  ['a temporary folder', 'unix:tmpdir=/tmp', DESKTOP, 'disabled:'],
  ['the runtime folder', 'unix:runtime=yes', DESKTOP, 'disabled:'],
  // Electron's children crash when libdbus runs a program.
  ['a program', 'unixexec:path=/bin/false', NOWHERE, 'disabled:'],
  ['a program in a list', 'unixexec:path=/bin/false;unix:path=/tmp/bus', NOWHERE, 'unix:path=/tmp/bus'],
  ['autolaunch', 'autolaunch:', LAUNCHED, LAUNCHED.launched],
  ['autolaunch on a systemd desktop', 'autolaunch:', DESKTOP, RUNTIME],
  ['autolaunch without a bus', 'autolaunch:', NOWHERE, 'disabled:'],
  ['autolaunch with a scope', 'autolaunch:scope=*user', DESKTOP, RUNTIME],
  ['other transports', 'launchd:env=X;systemd:;nonce-tcp:host=a,port=1;vsock:port=1', NOWHERE, 'disabled:'],
  ['TCP without a port', 'tcp:host=127.0.0.1', NOWHERE, 'disabled:'],
])('finds the session bus: %s', (_, variable, others, expected) => {
  expect(findBus(variable, others)).toBe(expected)
})

test('percent-encoded characters in an address are decoded', () => {
  const [address] = parseAddresses('unix:path=/tmp/a%2cb%20%c3%bc%25,guid=0a')
  expect([...(address?.values ?? [])]).toEqual([
    ['path', '/tmp/a,b ü%'],
    ['guid', '0a'],
  ])
})
