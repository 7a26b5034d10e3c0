import { app, type Session, type WebContents } from 'electron'

/**
 * What no page of this app ever needs, refused for every webContents there will be
 * (Electron's security guide, 5 and 12 to 15). Call before the first window.
 */
export function hardenWebContents(): void {
  app.on('web-contents-created', (_, contents) => harden(contents))
}

function harden(contents: WebContents): void {
  // SECURITY: the page stays the page: no navigation, no frame of another, no window, no webview.
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Denies every permission, device and download in this session. */
export function hardenSession(session: Session): void {
  // SECURITY: the window needs no camera, no notification, no clipboard reading, nothing.
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => event.preventDefault())
}
