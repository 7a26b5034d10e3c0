/** The page that the browser shows at the end of a sign-in. It looks like Latchkey's window. */
import { createHash } from 'node:crypto'
import type { CallbackPage, SignInResult } from '../session/ports.ts'

/** The window's colours (`renderer/style/ground.css`). */
const STYLE =
  ':root{color-scheme:light dark;--quiet:#5d6675;--mark:#9a6a12}' +
  'body{background:#f6f5f2;color:#1c2430;display:grid;place-content:center;min-height:100vh;margin:0;padding:1.5rem;box-sizing:border-box;font:1rem/1.45 system-ui,"Segoe UI",Cantarell,sans-serif}' +
  'main{max-width:26rem}svg{width:3rem;color:var(--mark)}h1{font-size:1.5rem;line-height:1.25;margin:1rem 0 .5rem}p{margin:0;color:var(--quiet)}' +
  '@media(prefers-color-scheme:dark){:root{--quiet:#a0a9b7;--mark:#e0b560}body{background:#12161c;color:#e9ecf1}}'

/** The window's mark (`renderer/parts/brand-key.tsx`). */
const MARK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"><circle cx="7.75" cy="16.25" r="4.75"/><path d="M11.2 12.8 20.5 3.5M16.9 7.1l3 3M13.6 10.4l2.1 2.1"/></g></svg>'

// SECURITY: the page runs no script, loads nothing and can't be framed. Only this one style applies.
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const escaped = (text: string): string => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)

export function pageOf({ language, texts }: CallbackPage, result: SignInResult): string {
  const { title, body } = texts[result]
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)} – Latchkey</title><style>${STYLE}</style>`
  return `<!doctype html><html lang="${escaped(language)}"><head>${head}</head><body><main>${MARK}<h1>${escaped(title)}</h1><p>${escaped(body)}</p></main></body></html>`
}
