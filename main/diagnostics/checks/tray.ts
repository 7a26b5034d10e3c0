import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

/** Windows and macOS always show tray icons. */
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
