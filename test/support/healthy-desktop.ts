import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import type { Line } from '../../main/diagnostics/line.ts'
import type { DiagnosticsPorts } from '../../main/diagnostics/ports.ts'
import { enDetails } from '../../text/en/details.ts'
import { enDiagnostics } from '../../text/en/diagnostics.ts'
import { createFormat } from '../../text/format.ts'

export const texts = { diagnostics: enDiagnostics('linux'), causes: enDetails(createFormat('en')).causes }

export function wellPorts(): DiagnosticsPorts {
  const clock = new DeadlineClock(systemTime)
  return {
    clock,
    texts,
    person: { home: '/home/ana', name: 'ana' },
    platform: 'linux',
    versions: async () => [
      ['Latchkey', '1.2.3'],
      ['Node', '24.0.0'],
    ],
    isSandboxed: true,
    settings: () => ({ values: [], problems: [], paths: [], variables: [] }),
    // The settings allow plain http only for an address of this machine.
    targets: [{ kind: 'service', url: new URL('http://127.0.0.1:1/base') }],
    browserTargets: [],
    gateways: [],
    proxiesFor: async () => ['direct'],
    kerberosProblem: async () => 'unsupported',
    send: async () => ({ ok: true, value: { status: 401, headers: { date: new Date(clock.wall()).toUTCString() } } }),
    resolve: async () => ['192.0.2.1'],
    tryKeychain: async () => ({ kind: 'works' }),
    otherEntries: [],
    agent: { isEnabled: false, location: { kind: 'socket', path: '/nowhere' } },
    askTrayHost: async () => 'present',
  }
}

export async function collect(lines: AsyncIterable<Line>): Promise<readonly Line[]> {
  const all: Line[] = []
  for await (const line of lines) all.push(line)
  return all
}
