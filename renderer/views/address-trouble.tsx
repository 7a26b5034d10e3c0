import type { Failure, FailureCode } from '../../contract/failures.ts'
import { useSurroundings } from '../parts/context.ts'
import type { Trouble } from '../parts/hooks.ts'
import { TroubleNotice } from '../parts/notice.tsx'
import { ProxyAsks } from './proxy-asks.tsx'

/** The address may still be right: another network, or waiting, may help. */
const MAY_BE_RIGHT: readonly FailureCode[] = ['unreachable', 'untrustedCertificate', 'proxyAuthenticationRequired']

export const mayBeRight = (trouble: Trouble | undefined): trouble is Failure =>
  trouble !== undefined && trouble !== 'unexpected' && MAY_BE_RIGHT.includes(trouble.code)

interface AddressTroubleProps {
  readonly trouble: Trouble | undefined
  /** The host that was tried. */
  readonly host: string | undefined
  readonly onChange: () => void
  readonly onAnyway: () => void
}

/**
 * Why a typed address was not saved. If no server answers there, the user can change the address, or save it anyway.
 */
export const AddressTrouble = ({ trouble, host, onChange, onAnyway }: AddressTroubleProps) => {
  const { texts } = useSurroundings()
  if (trouble === undefined) return null
  return (
    <>
      <TroubleNotice trouble={trouble} during="settings" host={host} role="alert" />
      {mayBeRight(trouble) && (
        <div class="answers">
          <button type="button" class="plain" onClick={onChange}>
            {texts.buttons.changeAddress}
          </button>
          <button type="button" class="plain" onClick={onAnyway}>
            {texts.buttons.continueAnyway}
          </button>
        </div>
      )}
      <ProxyAsks trouble={trouble} />
    </>
  )
}
