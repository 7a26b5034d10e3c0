/** A module built as its own bundle. Importing it yields the bundle's path (electron-vite: modulePath). */
declare module '*?modulePath' {
  const path: string
  export default path
}
