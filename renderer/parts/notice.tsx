import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Failure } from '../../preload/contract.ts'
import type { Operation } from '../../text/en.ts'
import { useSurroundings } from './context.ts'
import { Details } from './details.tsx'
import type { Trouble } from './hooks.ts'

type Tone = 'quiet' | 'warn' | 'bad'

interface NoticeProps {
  readonly tone: Tone
  readonly title?: string | undefined
  readonly children?: ComponentChildren
  /** Only what answers the user's own step interrupts; the rest is said by the live region. */
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

/** The service's own words (text, quoted, never mistaken for ours) and the details. */
export const SmallPrint = ({ failure }: { readonly failure: Failure | undefined }) => {
  const { texts } = useSurroundings()
  const { serverText = '', details } = failure ?? {}
  return (
    <>
      {serverText !== '' && (
        <p class="server-text">
          {texts.serverSays} <q dir="auto">{serverText}</q>
        </p>
      )}
      <Details details={details} />
    </>
  )
}

interface TroubleNoticeProps {
  readonly trouble: Trouble
  readonly during: Operation
  readonly host: string | undefined
  readonly tone?: Tone
  /** Replaces the title or the body of the failure's own sentence. */
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly children?: ComponentChildren
  readonly role?: 'alert' | undefined
}

/** What happened, what to do, the service's own words, and the details. */
export const TroubleNotice = ({ trouble, during, host, tone = 'bad', children, role, ...own }: TroubleNoticeProps) => {
  const { texts } = useSurroundings()
  const failure = trouble === 'unexpected' ? undefined : trouble
  const sentence = failure === undefined ? texts.unexpected : texts.failure(failure, during, host)
  return (
    <Notice tone={tone} title={own.title ?? sentence.title} role={role}>
      <p>
        {own.body ?? sentence.body} {children}
      </p>
      <SmallPrint failure={failure} />
    </Notice>
  )
}
