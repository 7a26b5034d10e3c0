/**
 * True if an address may be opened in the browser. SECURITY: it must have the parameters of an authorization request,
 * use https (or http if its host is this computer), and contain no user name or password.
 */
export function isOpenable({ protocol, hostname, username, password, searchParams }: URL): boolean {
  const isSafe =
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  const isSignIn = searchParams.get('response_type') === 'code' && searchParams.get('code_challenge_method') === 'S256'
  return isSafe && username === '' && password === '' && isSignIn
}
