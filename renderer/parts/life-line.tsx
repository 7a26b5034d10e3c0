import type { TokenView } from '../../contract/views.ts'

/** The share of the token's life that is left at a moment, from 0 to 1. */
export function shareLeft(token: TokenView, at: number): number {
  const whole = Math.max(1, token.expiresAt - token.receivedAt)
  return Math.min(1, Math.max(0, (token.expiresAt - at) / whole))
}

/**
 * The life line: the filled part is the remaining time. It is hidden from screen readers, because a text next to it
 * says the same. It is an SVG, whose lengths are attributes, because the content security policy forbids inline styles.
 */
export const LifeLine = ({ token, now }: { readonly token: TokenView; readonly now: number }) => (
  <svg class="life" aria-hidden="true" focusable="false">
    <rect class="life-left" width={`${(shareLeft(token, now) * 100).toFixed(1)}%`} />
  </svg>
)
