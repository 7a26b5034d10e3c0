import { isProxyRefusal, proxyToSignInTo } from '../../contract/failures.ts'
import type { CallError } from '../parts/hooks.ts'
import { ProxySignIn } from './proxy-sign-in.tsx'

/** If a proxy requires credentials, asks the user for them. Once they are saved, the surrounding form is submitted. */
export const ProxyAsks = ({ error }: { readonly error: CallError | undefined }) => {
  if (error === undefined || error === 'unexpected') return null
  const proxy = proxyToSignInTo(error)
  return proxy === undefined ? null : <ProxySignIn key={proxy} proxy={proxy} isRefused={isProxyRefusal(error)} />
}
