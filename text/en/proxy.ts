import type { EnKeychain } from './keychain.ts'

export const enProxy = (keychain: EnKeychain) => ({
  heading: (proxy: string): string => `Sign in to the proxy ${proxy}`,
  /** The label isn't just `Username`, because the service's own fields may be on the same screen. */
  user: 'Proxy username',
  password: 'Proxy password',
  hint: `Your company’s proxy requires this. The username and password are saved in ${keychain.your}.`,
  refused: 'The proxy refused this username and password. Check both and try again.',
  signIn: 'Sign in to the proxy',
})
