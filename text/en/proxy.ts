/** English: signing in to a proxy. */
export const enProxy = {
  heading: (proxy: string): string => `Sign in to the proxy ${proxy}`,
  /** Different from the labels of the service's own fields, which may be on the same screen. */
  user: 'Proxy user',
  password: 'Proxy password',
  hint: 'Your company’s proxy asks for this. It is kept in your keychain.',
  refused: 'The proxy refused this username and password. Check both and try again.',
  signIn: 'Sign in to the proxy',
}
