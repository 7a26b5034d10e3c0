/** A module that is built for itself; its import is the path of what was built (electron-vite: modulePath). */
declare module '*?modulePath' {
  const path: string
  export default path
}
