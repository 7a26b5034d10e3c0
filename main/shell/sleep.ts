import type { Clock } from '../session/ports.ts'
import { askBus, type Bus, hasOwner } from './bus.ts'

interface SleepOptions {
  readonly platform: NodeJS.Platform
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** The computer's own where absent. */
  readonly bus?: Bus
}

/**
 * Whether there is somebody who tells of sleep and waking, as Electron's `suspend` and `resume` pass it on (Electron:
 * powerMonitor): Windows and macOS do, Linux where logind runs (org.freedesktop.login1: `PrepareForSleep`). Never throws.
 */
export async function tellsOfSleep({ platform, clock, bus = 'system' }: SleepOptions): Promise<boolean> {
  if (platform !== 'linux') return true
  return askBus({ bus, ask: (opened) => hasOwner(opened, 'org.freedesktop.login1'), otherwise: false, clock })
}
