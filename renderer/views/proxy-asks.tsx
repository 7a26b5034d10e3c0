import { isProxyRefusal, proxyToSignInTo } from '../../contract/failures.ts'
import type { CallError } from '../parts/hooks.ts'
import { ProxySignIn } from './proxy-sign-in.tsx'

/** The sign-in to a proxy, if `error` says that one asks for credentials. A form around it is sent again afterwards. */
export const ProxyAsks = ({ error }: { readonly error: CallError | undefined }) => {
  if (error === undefined || error === 'unexpected') return null
  const proxy = proxyToSignInTo(error)
  return proxy === undefined ? null : <ProxySignIn key={proxy} proxy={proxy} isRefused={isProxyRefusal(error)} />
}
