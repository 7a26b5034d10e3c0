/** Vite's own: the picture as a data: address, so that it is in the bundle. */
declare module '*.png?inline' {
  const address: string
  export default address
}
