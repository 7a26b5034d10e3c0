/** A module built as its own bundle. Importing it yields the bundle's path (electron-vite: modulePath). */
declare module '*?modulePath' {
  const path: string
  export default path
}

/** With Vite, importing a picture yields a data: address, so that the picture is part of the bundle. */
declare module '*.png?inline' {
  const address: string
  export default address
}

/** With electron-vite, importing a file yields its path. The file stays outside the package's archive. */
declare module '*.ico?asset&asarUnpack' {
  const path: string
  export default path
}
