import { useRef } from 'preact/hooks'
import { useFocusOnArrival } from './hooks.ts'

/** The heading of a view without a form. It takes the focus, so that screen readers start at the top. */
export const ArrivalHeading = ({ children }: { readonly children: string }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(heading)
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
