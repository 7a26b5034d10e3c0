import { driveWindow } from './run/drive-window.mjs'

/** `npm run tour`: drives the real window through the main job and saves a picture of each view to `out/tour/`. */
await driveWindow('tour')
