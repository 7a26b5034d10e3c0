import { isProxyRefusal, proxyToSignInTo } from '../../contract/failures.ts'
import type { Trouble } from '../parts/hooks.ts'
import { ProxySignIn } from './proxy-sign-in.tsx'

/** The proxy's own sign-in, where it is a proxy that wants one. It may stand within a form, which goes on after it. */
export const ProxyAsks = ({ trouble }: { readonly trouble: Trouble | undefined }) => {
  if (trouble === undefined || trouble === 'unexpected') return null
  const proxy = proxyToSignInTo(trouble)
  return proxy === undefined ? null : <ProxySignIn key={proxy} proxy={proxy} isRefused={isProxyRefusal(trouble)} />
}
