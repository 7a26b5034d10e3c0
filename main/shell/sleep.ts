import type { Clock } from '../session/ports.ts'
import { askBus, hasOwner } from './bus.ts'

interface SleepOptions {
  readonly platform: NodeJS.Platform
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** A D-Bus address; the computer's own where absent. */
  readonly busAddress?: string
}

/**
 * Whether the system tells that it has slept, as Electron's `resume` passes it on (Electron: powerMonitor). On Linux
 * logind does (org.freedesktop.login1: `PrepareForSleep`), and nobody where there is none. Never throws.
 */
export async function tellsOfSleep({ platform, clock, busAddress }: SleepOptions): Promise<boolean> {
  if (platform !== 'linux') return true
  return askBus({
    bus: busAddress === undefined ? 'system' : { busAddress },
    ask: (bus) => hasOwner(bus, 'org.freedesktop.login1'),
    otherwise: false,
    clock,
  })
}
