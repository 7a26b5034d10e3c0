import { isProxyRefusal, proxyToSignInTo } from '../../contract/failures.ts'
import type { CallError } from '../parts/hooks.ts'
import { ProxySignIn } from './proxy-sign-in.tsx'

/** If `error` says that the proxy requires credentials, asks for them. Then the surrounding form is sent again. */
export const ProxyAsks = ({ error }: { readonly error: CallError | undefined }) => {
  if (error === undefined || error === 'unexpected') return null
  const proxy = proxyToSignInTo(error)
  return proxy === undefined ? null : <ProxySignIn key={proxy} proxy={proxy} isRefused={isProxyRefusal(error)} />
}
