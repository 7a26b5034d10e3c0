/** D-Bus addresses, as the D-Bus specification defines them (section "Server Addresses"). */

/** One address of a list: the transport, such as `unix`, and its decoded values. */
export interface BusAddress {
  readonly transport: string
  readonly values: ReadonlyMap<string, string>
}

/**
 * Stands for "no bus": with this address in DBUS_SESSION_BUS_ADDRESS, libdbus doesn't start a bus of its own. Electron
 * sets it, too, if the variable is missing.
 */
export const NO_BUS = 'disabled:'

const ENTRY = /^(?<transport>[^:=,;]+):(?<values>.*)$/s
const WRONG_ESCAPE = /%(?![0-9A-Fa-f]{2})/
/** Everything except the bytes that the specification allows without an escape. */
const TO_ESCAPE = /[^-0-9A-Za-z_/.*\\]/g

/**
 * The addresses in a list, without those that are malformed. Characters that should have been escaped are accepted, as
 * GLib does.
 */
export function parseAddresses(list: string): readonly BusAddress[] {
  return list.split(';').flatMap((entry) => {
    const { transport, values = '' } = ENTRY.exec(entry)?.groups ?? {}
    const pairs = values.split(',').filter((pair) => pair !== '')
    const decoded = pairs.map(decodePair)
    if (transport === undefined || decoded.some((pair) => pair === undefined)) return []
    return [{ transport, values: new Map(decoded.flatMap((pair) => (pair === undefined ? [] : [pair]))) }]
  })
}

function decodePair(pair: string): readonly [string, string] | undefined {
  const at = pair.indexOf('=')
  const value = pair.slice(at + 1)
  if (at < 1 || WRONG_ESCAPE.test(value)) return undefined
  const bytes = [
    ...Buffer.from(value)
      .toString('latin1')
      .matchAll(/%([0-9A-Fa-f]{2})|(.)/gs),
  ]
  const decoded = bytes.map(([, hex, byte = '']) => (hex === undefined ? byte : String.fromCharCode(parseInt(hex, 16))))
  return [pair.slice(0, at), Buffer.from(decoded.join(''), 'latin1').toString()]
}

export function formatAddresses(addresses: readonly BusAddress[]): string {
  const escaped = (value: string) =>
    Buffer.from(value)
      .toString('latin1')
      .replace(TO_ESCAPE, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return addresses
    .map(({ transport, values }) => `${transport}:${[...values].map(([key, value]) => `${key}=${escaped(value)}`)}`)
    .join(';')
}

/** The address of a socket in the file system. */
export const socketAddress = (path: string): BusAddress => ({ transport: 'unix', values: new Map([['path', path]]) })

/**
 * True if a client can connect to the address in every library that Latchkey uses (libdbus, GLib, dbus-next). The
 * values `dir`, `tmpdir` and `runtime` are only for servers. GLib can't use `unixexec`.
 */
function isUsable({ transport, values }: BusAddress): boolean {
  if (transport === 'unix') return Boolean(values.get('path')) !== Boolean(values.get('abstract'))
  return transport === 'tcp' && Boolean(values.get('port'))
}

/** Where else a session bus may be, if the variable doesn't say. */
export interface OtherBuses {
  /** The socket `$XDG_RUNTIME_DIR/bus`, if this user has one. */
  readonly runtime: string | undefined
  /** The address that `dbus-launch` has saved for this display. */
  readonly launched: string | undefined
}

/**
 * Finds the session bus as libdbus does (dbus-daemon(1), DBUS_SESSION_BUS_ADDRESS): the variable comes first, and an
 * empty variable counts as unset. Returns a list that every library understands. It never makes libdbus run a program:
 * Electron's children crash when they run `dbus-launch`.
 */
export function findBus(variable: string | undefined, { runtime, launched = '' }: OtherBuses): string {
  const usable = (list: string) => parseAddresses(list).filter(isUsable)
  const found = runtime === undefined ? usable(launched) : [socketAddress(runtime)]
  const addresses =
    !variable || variable === NO_BUS
      ? found
      : parseAddresses(variable).flatMap((address) => {
          if (address.transport === 'autolaunch') return found
          return isUsable(address) ? [address] : []
        })
  return addresses.length === 0 ? NO_BUS : formatAddresses(addresses)
}
