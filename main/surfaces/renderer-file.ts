import path from 'node:path'

/** The renderer's host: `app://latchkey/`. */
const HOST = 'latchkey'

/** The file that an address stands for; `undefined` unless the host is ours and the file lies in the folder. */
export function rendererFile(address: string, folder: string): string | undefined {
  let url: URL
  let name: string
  try {
    url = new URL(address)
    name = decodeURIComponent(url.pathname)
  } catch {
    return undefined
  }
  if (url.host !== HOST || name.includes('\0')) return undefined
  const file = path.join(folder, name)
  // SECURITY: no way out of the folder, however the dots and slashes are written.
  return file.startsWith(folder + path.sep) ? file : undefined
}
