import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

/** Lists the versions, which are the first thing that a support team asks for. */
export async function checkVersions({ versions, texts }: Ports<'versions' | 'texts'>): Promise<Finding> {
  const [app, ...others] = await versions()
  const details = others.map(([name, version]) => `${name} ${version}`)
  return { state: 'ok', sentence: texts.diagnostics.versions.app(app?.[1] ?? '?'), details }
}
