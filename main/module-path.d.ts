/** A module with its own bundle. The import is the bundle's path (electron-vite: modulePath). */
declare module '*?modulePath' {
  const path: string
  export default path
}
