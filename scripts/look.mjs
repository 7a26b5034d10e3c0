import { driveWindow } from './run/drive-window.mjs'

/**
 * `npm run look [-- VIEW...]`: saves pictures of every view to `out/look`, one picture for each state. If views are
 * named, it saves pictures of only these views.
 */
await driveWindow('look')
