/** For Vite: the picture as a data: address, so that it is part of the bundle. */
declare module '*.png?inline' {
  const address: string
  export default address
}

/** For electron-vite: the path of the file, which stays outside the package's archive. */
declare module '*.ico?asset&asarUnpack' {
  const path: string
  export default path
}
