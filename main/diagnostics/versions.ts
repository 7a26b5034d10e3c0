import { readFile } from 'node:fs/promises'
import { release, version } from 'node:os'

interface Running {
  readonly app: string
  readonly process: Pick<NodeJS.Process, 'platform' | 'arch' | 'versions' | 'env'>
  readonly osRelease?: string
}

/** Finds the versions of the app and its system, but no name of a computer or user. */
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

/** The distribution's name, which is `PRETTY_NAME` in os-release(5). */
async function distribution(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^PRETTY_NAME=["']?([^"'\n]*)/m.exec(text)?.[1] ?? 'Linux'
}
