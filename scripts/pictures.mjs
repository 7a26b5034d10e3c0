import { driveWindow } from './run/drive-window.mjs'

/** `npm run pictures`: saves the pictures for README.md and the documentation to `docs/images`. */
await driveWindow('pictures')
