import { driveWindow } from './run/drive-window.mjs'

/**
 * `npm run look [-- VIEW...]`: saves a picture of every view, or of the named views, in every state to `out/look`.
 */
await driveWindow('look')
