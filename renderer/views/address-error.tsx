import type { Failure, FailureCode } from '../../contract/failures.ts'
import { useSurroundings } from '../parts/context.ts'
import type { CallError } from '../parts/hooks.ts'
import { ErrorNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'

/** After these failures the address may still be right: another network, or waiting, may help. */
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
 * Why a typed address was not saved. If no server answers there, the user can change the address, or save it anyway.
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
