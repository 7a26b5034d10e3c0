import { signal } from '@preact/signals'
import { render } from 'preact'
import type { LatchkeyApi } from '../contract/calls.ts'
import type { AppView } from '../contract/views.ts'
import { loadTexts, type Texts } from '../text/index.ts'

declare global {
  interface Window {
    readonly latchkey: LatchkeyApi
  }
}

const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no #app')

const chosen = new URLSearchParams(location.search)
const textsFrom = (load: typeof loadTexts) =>
  load(chosen.get('locale') ?? 'en', chosen.get('platform') ?? 'linux', chosen.get('times') ?? undefined)
const loading = Promise.all([import('./app.tsx'), textsFrom(loadTexts)])
const view = signal<AppView | undefined>(undefined)
window.latchkey.onView((next) => {
  view.value = next
})
// A process takes about 15 ms to create its first date format, so one is created while the rest loads.
Intl.DateTimeFormat()
const [{ App }, texts] = await loading
document.documentElement.lang = texts.language
const show = (texts: Texts) => render(<App api={window.latchkey} texts={texts} view={view} />, root)
show(texts)
// Under `npm run dev`, this shows edited texts without losing what was typed.
import.meta.hot?.accept('../text/index.ts', async (edited) => edited && show(await textsFrom(edited['loadTexts'])))
