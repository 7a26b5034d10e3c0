import { app, type Session, type WebContents } from 'electron'

/** Refuses what no page needs (Electron's security guide, 5 and 12 to 15). Call this before the first window. */
export function hardenWebContents(): void {
  app.on('web-contents-created', (_, contents) => harden(contents))
}

function harden(contents: WebContents): void {
  // SECURITY: a window only ever shows the app's own page.
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  // SECURITY: the page can't move its window or fill the screen to imitate a system dialog.
  contents.on('content-bounds-updated', (event) => event.preventDefault())
  // SECURITY: ignores the page's `beforeunload`, which could keep its window open or prevent the app from quitting.
  contents.on('will-prevent-unload', (event) => event.preventDefault())
  // SECURITY: Electron grants every permission that isn't denied, so all are denied in every session with a page.
  denyPermissions(contents.session)
  // SECURITY: no Content-Security-Policy stops WebRTC, so it may only use the proxy. It can still resolve names.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
}

/** The port of the discard service (RFC 863), on which nothing listens. */
const NOWHERE = '127.0.0.1:9'

export function hardenSession(session: Session): void {
  denyPermissions(session)
  session.on('will-download', (event) => event.preventDefault())
  // SECURITY: typed text goes to no spell checker. Without languages, Chromium downloads no dictionaries, either.
  session.setSpellCheckerLanguages([])
  session.setSpellCheckerEnabled(false)
  // SECURITY: whatever bypasses the Content-Security-Policy (WebRTC, preconnect) ends at a proxy that doesn't exist.
  void session.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules: '<-loopback>' })
}

// SECURITY: no page needs a permission, for example to use the camera, read the clipboard, or open other programs.
function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}
