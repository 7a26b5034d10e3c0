import { driveWindow } from './run/drive-window.mjs'

/**
 * `npm run look`: saves a picture of every view in every state to `out/look`. Arguments limit it to the views that they
 * name.
 */
await driveWindow('look')
