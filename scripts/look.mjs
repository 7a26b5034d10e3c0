import { driveWindow } from './run/drive-window.mjs'

/** `npm run look`: takes a picture of every view in every state, into `out/look`. If the arguments name views, only those. */
await driveWindow('look')
