import { signal } from '@preact/signals'
import { render } from 'preact'
import type { AppView, LatchkeyApi } from '../preload/contract.ts'
import { loadTexts } from '../text/index.ts'
import { App } from './app.tsx'

declare global {
  interface Window {
    readonly latchkey: LatchkeyApi
  }
}

/** Shows the view in the page, from now on. What stands there already stays until there is something to take its place. */
export async function show(root: HTMLElement): Promise<void> {
  // Asked for before the words are loaded: both are there at about the same time.
  const view = signal<AppView | undefined>(undefined)
  const delivered = new Promise<void>((resolve) => {
    window.latchkey.onView((next) => {
      view.value = next
      resolve()
    })
  })
  const texts = await loadTexts(navigator.language)
  if (root.hasChildNodes()) await delivered
  document.documentElement.lang = texts.language
  root.inert = false
  render(<App api={window.latchkey} texts={texts} view={view} />, root)
}
