import type { AppView } from '../../preload/contract.ts'
import type { Texts } from '../../text/index.ts'
import type { Report } from '../log/report.ts'

/** Where the page's script shows the view (renderer/index.html). */
const EMPTY = '<div id="app"></div>'
const LANGUAGE = '<html lang="en">'

interface Filling {
  /** Resolves when the view is the one to be shown, or when that isn't worth waiting for. */
  readonly settled: () => Promise<unknown>
  readonly view: () => AppView
  readonly texts: Texts
  /** Loads what writes the view as HTML, with every text of it escaped. */
  readonly load: () => Promise<{ prerender(view: AppView, texts: Texts): string }>
  readonly report: Report
}

/**
 * The page with the view in it, as HTML, so that it is painted before its script is loaded. It answers nobody until that has
 * taken over: it is inert. Where that can't be had, the page as it is.
 */
export async function filledPage(page: string, { settled, view, texts, load, report }: Filling): Promise<string> {
  try {
    const [{ prerender }] = await Promise.all([load(), settled()])
    const shown = view()
    // Another screen will be opened at once; and what is being restored is something else in a moment.
    if (shown.opening !== undefined || shown.session.kind === 'restoring') return page
    if (!page.includes(EMPTY) || !page.includes(LANGUAGE)) throw new Error('index.html has no place for the view')
    const html = prerender(shown, texts)
    return page
      .replace(LANGUAGE, () => `<html lang="${texts.language}">`)
      .replace(EMPTY, () => `<div id="app" inert>${html}</div>`)
  } catch (error) {
    report('prerender', error)
    return page
  }
}
