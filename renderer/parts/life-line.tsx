import type { TokenView } from '../../contract/views.ts'

/** Which share of the token's life, from 0 to 1, is left at a moment. */
export function shareLeft(token: TokenView, at: number): number {
  const whole = Math.max(1, token.expiresAt - token.receivedAt)
  return Math.min(1, Math.max(0, (token.expiresAt - at) / whole))
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

interface LifeLineProps {
  readonly token: TokenView
  readonly now: number
  /** Whether a refresh is planned for a moment that can be shown. */
  readonly refreshing: boolean
}

/**
 * The line of life: what is filled is the time left, and it burns down towards the brass mark, where the token is
 * refreshed. The words beside it say the same, so it is hidden from screen readers. In SVG, whose lengths are attributes:
 * the content security policy knows no style in the page's HTML.
 */
export const LifeLine = ({ token, now, refreshing }: LifeLineProps) => (
  <svg class="life" aria-hidden="true" focusable="false">
    <rect class="life-left" width={percent(shareLeft(token, now))} />
    {refreshing && token.refreshesAt !== undefined && (
      <rect class="life-mark" x={percent(shareLeft(token, token.refreshesAt))} />
    )}
  </svg>
)
