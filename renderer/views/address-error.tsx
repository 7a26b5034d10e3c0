import type { Failure, FailureCode } from '../../contract/failures.ts'
import { useSurroundings } from '../parts/context.ts'
import type { CallError } from '../parts/hooks.ts'
import { ErrorNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'

/** These failures don't mean that the address is wrong: the address may work later, or on another network. */
const MAY_BE_RIGHT: readonly FailureCode[] = ['unreachable', 'untrustedCertificate', 'proxyAuthenticationRequired']

export const mayBeRight = (error: CallError | undefined): error is Failure =>
  error !== undefined && error !== 'unexpected' && MAY_BE_RIGHT.includes(error.code)

interface AddressErrorProps {
  readonly error: CallError | undefined
  /** The host that was tried. */
  readonly host: string | undefined
  readonly onChange: () => void
  readonly onAnyway: () => void
}

/**
 * Says why a typed address was not saved. If no server answers, the user can change the address or save it anyway.
 */
export const AddressError = ({ error, host, onChange, onAnyway }: AddressErrorProps) => {
  const { texts } = useSurroundings()
  if (error === undefined) return null
  return (
    <>
      <ErrorNotice error={error} during="settings" host={host} role="alert" />
      {mayBeRight(error) && (
        <div class="answers">
          <button type="button" class="plain" onClick={onChange}>
            {texts.buttons.changeAddress}
          </button>
          <button type="button" class="plain" onClick={onAnyway}>
            {texts.buttons.continueAnyway}
          </button>
        </div>
      )}
      <ProxyAsks error={error} />
    </>
  )
}
