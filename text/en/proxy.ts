/** English: signing in to a proxy. */
export const enProxy = {
  heading: (proxy: string): string => `Sign in to the proxy ${proxy}`,
  /** Other words than those of the service's own fields, which may stand next to them. */
  user: 'Proxy user',
  password: 'Proxy password',
  hint: 'Your company’s proxy asks for this. It is kept in your keychain.',
  refused: 'The proxy doesn’t take this user and password. Check both and try again.',
  signIn: 'Sign in to the proxy',
}
