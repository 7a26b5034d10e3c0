import { driveWindow } from './run/drive-window.mjs'

/** `npm run pictures`: takes the pictures of README.md and the documentation, into `docs/images`. */
await driveWindow('pictures')
