/** A D-Bus address (D-Bus specification, "Server Addresses"). */
export interface BusAddress {
  readonly transport: string
  readonly values: ReadonlyMap<string, string>
}

/** Keeps libdbus from starting a bus. Electron sets this value if DBUS_SESSION_BUS_ADDRESS is missing. */
export const NO_BUS = 'disabled:'

const ENTRY = /^(?<transport>[^:=,;]+):(?<values>.*)$/s
const WRONG_ESCAPE = /%(?![0-9A-Fa-f]{2})/
const TO_ESCAPE = /[^-0-9A-Za-z_/.*\\]/g

/** The well-formed addresses in a list. Like GLib, this accepts characters that should have been escaped. */
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

function formatAddresses(addresses: readonly BusAddress[]): string {
  const escaped = (value: string) =>
    Buffer.from(value)
      .toString('latin1')
      .replace(TO_ESCAPE, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return addresses
    .map(({ transport, values }) => `${transport}:${[...values].map(([key, value]) => `${key}=${escaped(value)}`)}`)
    .join(';')
}

const socketAddress = (path: string): BusAddress => ({ transport: 'unix', values: new Map([['path', path]]) })

/** Whether all our libraries can connect: `dir`, `tmpdir` and `runtime` are for servers, and GLib lacks `unixexec`. */
function isUsable({ transport, values }: BusAddress): boolean {
  if (transport === 'unix') return Boolean(values.get('path')) !== Boolean(values.get('abstract'))
  return transport === 'tcp' && Boolean(values.get('port'))
}

interface OtherBuses {
  /** `$XDG_RUNTIME_DIR/bus`, if it belongs to this user. */
  readonly runtime: string | undefined
  readonly launched: string | undefined
}

/** Like libdbus, but never runs `dbus-launch`, which crashes Electron's children. An empty variable counts as unset. */
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
