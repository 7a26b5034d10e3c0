import { app, type Session, type WebContents } from 'electron'

/**
 * Refuses features that no page of this app needs, for every webContents that is created later (Electron's security
 * guide, items 5 and 12 to 15). Call this before the first window is created.
 */
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
  // SECURITY: no Content-Security-Policy stops WebRTC, so it may only use the session's proxy. It can still resolve the
  // names in its candidates, because no Electron setting prevents that.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
}

/** The port of the discard service (RFC 863). Computers no longer run this service, so nothing listens there. */
const NOWHERE = '127.0.0.1:9'

/** Denies this session all permissions, devices, downloads and network access. */
export function hardenSession(session: Session): void {
  denyPermissions(session)
  session.on('will-download', (event) => event.preventDefault())
  // SECURITY: typed text goes to no spell checker. Chromium would download a dictionary for each language even with the
  // spell checker off, so the languages are removed, too.
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
