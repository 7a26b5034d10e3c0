/** `renderer/prerender.tsx`, by this name because of its types: they are those of a page. */
declare module '#prerender' {
  export function prerender(
    view: import('../../preload/contract.ts').AppView,
    texts: import('../../text/index.ts').Texts,
  ): string
}
