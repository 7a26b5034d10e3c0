import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Failure } from '../../contract/failures.ts'
import type { IssuerKind } from '../../contract/grants.ts'
import type { Operation } from '../../text/sentence.ts'
import { useSurroundings } from './context.ts'
import { Details } from './details.tsx'
import type { CallError } from './hooks.ts'

type Tone = 'quiet' | 'warn' | 'bad'

interface NoticeProps {
  readonly tone: Tone
  readonly title?: string | undefined
  readonly children?: ComponentChildren
  /** Only the result of a user's action interrupts a screen reader; the live region announces everything else. */
  readonly role?: 'alert' | undefined
}

export const Notice = ({ tone, title, children, role }: NoticeProps) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (role === 'alert') box.current?.scrollIntoView({ block: 'nearest' })
  }, [role])
  return (
    <div ref={box} class={`notice ${tone}`} role={role}>
      {title !== undefined && <strong>{title}</strong>}
      {children}
    </div>
  )
}

interface SmallPrintProps {
  readonly failure: Failure | undefined
  /** Who sent the quoted text. */
  readonly issuer: IssuerKind
}

/** The sender's own text (quoted, so that it is never mistaken for ours) and the details. */
export const SmallPrint = ({ failure, issuer }: SmallPrintProps) => {
  const { texts } = useSurroundings()
  const { serverText = '', details, code } = failure ?? {}
  return (
    <>
      {serverText !== '' && (
        <p class="server-text">
          {texts.says[issuer]} <q dir="auto">{serverText}</q>
        </p>
      )}
      {/* A request with invalid input was never sent, so there are no further details. */}
      {code !== 'invalidInput' && <Details details={details} />}
    </>
  )
}

interface ErrorNoticeProps {
  readonly error: CallError
  readonly during: Operation
  /** The kind of issuer that is named in the error's text. */
  readonly issuer?: IssuerKind
  /** The service's host. */
  readonly host: string | undefined
  readonly tone?: Tone
  /** `title` and `body` replace the usual title and text for this failure. */
  readonly title?: string | undefined
  readonly body?: string | undefined
  /** The remaining milliseconds of the wait that the service asked for. */
  readonly wait?: number | undefined
  readonly children?: ComponentChildren
  readonly role?: 'alert' | undefined
}

/** The error, the next step, the server's text, and the details. */
export const ErrorNotice = (props: ErrorNoticeProps) => {
  const { error, during, issuer = 'service', host, tone = 'bad', title, body, wait, children, role } = props
  const { texts } = useSurroundings()
  const failure = error === 'unexpected' ? undefined : error
  const sentence = failure === undefined ? texts.unexpected : texts.failure(failure, during, host, issuer)
  return (
    <Notice tone={tone} title={title ?? sentence.title} role={role}>
      <p>
        {failure === undefined || wait === undefined || wait === 0 ? (
          (wait === 0 && texts.tryAgainNow) || (body ?? sentence.body)
        ) : (
          <Countdown still={sentence.body}>
            {texts.failure({ ...failure, retryAfter: Math.ceil(wait / 1_000) }, during, host, issuer).body}
          </Countdown>
        )}{' '}
        {children}
      </p>
      <SmallPrint failure={failure} issuer={issuer} />
    </Notice>
  )
}

/** A countdown that is updated on the screen. Screen readers announce only its first value. */
const Countdown = ({ still, children }: { readonly still: string; readonly children: string }) => (
  <>
    <span class="unseen">{still}</span>
    <span class="figures" aria-hidden="true">
      {children}
    </span>
  </>
)
