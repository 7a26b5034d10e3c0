/**
 * True if an address may be opened in the browser. SECURITY: only a provider's authorization endpoint may be opened,
 * over https or on this machine, and with the parameters that only a sign-in has.
 */
export function isOpenable({ protocol, hostname, username, password, searchParams }: URL): boolean {
  const isSafe =
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  const isSignIn = searchParams.get('response_type') === 'code' && searchParams.get('code_challenge_method') === 'S256'
  return isSafe && username === '' && password === '' && isSignIn
}
