import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Protocol, Session } from 'electron'

export const SCHEME = 'app'
const HOST = 'latchkey'
export const ORIGIN = `${SCHEME}://${HOST}`

/** The page's address. It tells the page the language, the system and the locale of times. */
export const startPage = (locale: string, platform: string = process.platform, times = locale): string =>
  `${ORIGIN}/index.html?${new URLSearchParams({ locale, platform, ...(times !== locale && { times }) })}`

// SECURITY: only our own files are allowed. Inline code, connections and HTML made from strings are blocked.
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'none'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  // This prevents print dialogs, new windows, downloads and pointer lock, even after a click.
  'sandbox allow-scripts allow-same-origin allow-forms',
].join('; ')

// SECURITY: a picture-in-picture window would stay above all others and show whatever the page draws.
const PERMISSIONS_POLICY = 'picture-in-picture=()'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Call this before the app is ready (Electron: protocol.registerSchemesAsPrivileged). */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: false } },
  ])
}

/** Serves the renderer's folder, and nothing else, at `app://latchkey/`. */
export function serveRenderer(session: Session, folder: string): void {
  session.protocol.handle(SCHEME, async (request) => {
    const file = request.method === 'GET' ? rendererFile(request.url, folder) : undefined
    const type = file && CONTENT_TYPES[path.extname(file)]
    const content = file && type ? await readFile(file).catch(() => undefined) : undefined
    if (content === undefined || type === undefined) return new Response(null, { status: 404 })
    return new Response(new Uint8Array(content), {
      headers: {
        'Content-Type': type,
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'Permissions-Policy': PERMISSIONS_POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-cache',
      },
    })
  })
}

/** The file for an address; `undefined` unless the host is ours and the file is in the folder. */
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
  // SECURITY: no path leads out of the folder, whatever dots and slashes it contains.
  return file.startsWith(folder + path.sep) ? file : undefined
}
