import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

/** Checks that the desktop shows tray icons. Windows and macOS always do. */
export async function checkTray({
  platform,
  askTrayHost,
  texts,
}: Ports<'platform' | 'askTrayHost' | 'texts'>): Promise<Finding> {
  const says = texts.diagnostics.tray
  if (platform !== 'linux') return { state: 'ok', sentence: says.present }
  const host = await askTrayHost()
  return host === 'present' ? { state: 'ok', sentence: says.present } : { state: 'warning', ...says[host] }
}
