import { driveWindow } from './run/drive-window.mjs'

/**
 * `npm run tour`: drives the real window from the first sign-in to the sign-out, and saves a picture of each view to
 * `out/tour/`.
 */
await driveWindow('tour')
