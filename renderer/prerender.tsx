/** For the main process, which sends the window what it will look like along with the page. */
import { signal } from '@preact/signals'
import { renderToString } from 'preact-render-to-string'
import type { AppView, LatchkeyApi } from '../preload/contract.ts'
import type { Texts } from '../text/index.ts'
import { App } from './app.tsx'

/** Nothing is called before a click, and nothing of this can be clicked. */
const NO_API = {} as LatchkeyApi

/** The window's HTML, as its script will make it of the same view: what is painted doesn't wait for that. */
export const prerender = (view: AppView, texts: Texts): string =>
  renderToString(<App api={NO_API} texts={texts} view={signal(view)} />)
