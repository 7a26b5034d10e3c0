/** Where the page's script shows the view (renderer/index.html). */
const EMPTY = '<div id="app"></div>'
const LANGUAGE = '<html lang="en">'

/**
 * The page with the view in it, as HTML. It answers nobody until its script has taken over: it is inert.
 * @throws where the page is not as it is known.
 */
export function filledPage(
  page: string,
  { html, language }: { readonly html: string; readonly language: string },
): string {
  if (!page.includes(EMPTY) || !page.includes(LANGUAGE)) throw new Error('index.html has no place for the view')
  return page
    .replace(LANGUAGE, () => `<html lang="${language}">`)
    .replace(EMPTY, () => `<div id="app" inert>${html}</div>`)
}
