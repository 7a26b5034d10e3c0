import { isProxyRefusal, proxyToSignInTo } from '../../contract/failures.ts'
import type { CallError } from '../parts/hooks.ts'
import { ProxySignIn } from './proxy-sign-in.tsx'

/** A sign-in to the proxy, if `error` says that it asks for one. The form around it is sent again afterwards. */
export const ProxyAsks = ({ error }: { readonly error: CallError | undefined }) => {
  if (error === undefined || error === 'unexpected') return null
  const proxy = proxyToSignInTo(error)
  return proxy === undefined ? null : <ProxySignIn key={proxy} proxy={proxy} isRefused={isProxyRefusal(error)} />
}
