import { signal } from '@preact/signals'
import { render } from 'preact'
import type { LatchkeyApi } from '../contract/calls.ts'
import type { AppView } from '../contract/views.ts'
import { loadTexts } from '../text/index.ts'
import { App } from './app.tsx'

declare global {
  interface Window {
    readonly latchkey: LatchkeyApi
  }
}

const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no #app')

const view = signal<AppView | undefined>(undefined)
// Subscribe before the texts are loaded: the view arrives while they load.
window.latchkey.onView((next) => {
  view.value = next
})
const chosen = new URLSearchParams(location.search)
const loading = loadTexts(chosen.get('locale') ?? 'en', chosen.get('platform') ?? 'linux')
// Creating the first date format of a process takes about 15 ms. It is created here, while the texts load.
Intl.DateTimeFormat()
const texts = await loading
document.documentElement.lang = texts.language
render(<App api={window.latchkey} texts={texts} view={view} />, root)
