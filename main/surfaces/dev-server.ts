/** Under `npm run dev`, Vite serves the page and sends each edit to the open window. No other build has this file. */
import { app, type Session } from 'electron'
import { CONTENT_SECURITY_POLICY, SCHEME } from './app-protocol.ts'

export const serveFrom =
  (vite: string) =>
  (session: Session): void => {
    const withEdits = (policy: string) =>
      policy.replace("connect-src 'none'", `connect-src ${vite.replace('http', 'ws')}`)
    session.protocol.handle(SCHEME, async ({ url, headers }) => {
      const { pathname, search } = new URL(url)
      const response = await fetch(vite + pathname + search, { headers })
      const type = response.headers.get('Content-Type') ?? ''
      const body = type.startsWith('text/html') ? withEdits(await response.text()) : response.body
      return new Response(body, {
        status: response.status,
        headers: { 'Content-Type': type, 'Content-Security-Policy': withEdits(CONTENT_SECURITY_POLICY) },
      })
    })
    void session.setProxy({ mode: 'direct' })
    // The page may not navigate (hardening.ts), so the main process reloads it when Vite can't apply an edit.
    app.on('web-contents-created', (_, contents) => {
      contents.on('will-frame-navigate', ({ url }) => {
        if (url === contents.getURL()) setImmediate(() => contents.reload())
      })
    })
  }
