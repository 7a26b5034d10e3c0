import { readFile } from 'node:fs/promises'
import { release, version } from 'node:os'
import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

/** Lists the versions, which are the first thing that a support team asks for. */
export async function checkVersions({ versions, texts }: Ports<'versions' | 'texts'>): Promise<Finding> {
  const [app, ...others] = await versions()
  const details = others.map(([name, version]) => `${name} ${version}`)
  return { state: 'ok', sentence: texts.diagnostics.versions.app(app?.[1] ?? '?'), details }
}

interface Running {
  readonly app: string
  readonly process: Pick<NodeJS.Process, 'platform' | 'arch' | 'versions' | 'env'>
  readonly osRelease?: string
}

export async function findVersions({ app, process, osRelease = '/etc/os-release' }: Running) {
  const { versions, platform, arch, env } = process
  const system = platform === 'linux' ? await distribution(osRelease) : version()
  const found: readonly (readonly [string, string | undefined])[] = [
    ['Latchkey', app],
    ['Electron', versions['electron']],
    ['Chromium', versions['chrome']],
    ['Node', versions.node],
    ['System', `${system} (${platform} ${release()}, ${arch})`],
    ['Desktop', platform === 'linux' ? env['XDG_CURRENT_DESKTOP'] || 'unknown' : undefined],
    ['Session type', platform === 'linux' ? env['XDG_SESSION_TYPE'] || 'unknown' : undefined],
  ]
  return found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

/** `PRETTY_NAME` in os-release(5). */
async function distribution(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^PRETTY_NAME=["']?([^"'\n]*)/m.exec(text)?.[1] ?? 'Linux'
}

export function checkSandbox({ isSandboxed, texts }: Ports<'isSandboxed' | 'texts'>): Finding {
  const { sandbox: says } = texts.diagnostics
  return isSandboxed ? { state: 'ok', sentence: says.good } : { state: 'warning', ...says.off }
}

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
