/** The page's layout. Each function runs in the page, so it must be self-contained. */

/** Elements that are cut off, overflow their box or the window, overlap others, or are broken within a word. */
export function layoutFaults({ mayBreakWords }: { readonly mayBreakWords: boolean }): string[] {
  const faults: string[] = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth)
    faults.push(`the window scrolls sideways by ${root.scrollWidth - root.clientWidth}`)

  const isIn = (inner: DOMRect, outer: DOMRect) =>
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 2 &&
    inner.bottom <= outer.bottom + 2
  const within = (inner: DOMRect, outer: DOMRect): DOMRect => {
    const [left, top] = [Math.max(inner.left, outer.left), Math.max(inner.top, outer.top)]
    const [right, bottom] = [Math.min(inner.right, outer.right), Math.min(inner.bottom, outer.bottom)]
    return new DOMRect(left, top, right - left, bottom - top)
  }
  const clips = (element: Element) => getComputedStyle(element).overflow !== 'visible'
  const overlap = (one: DOMRect, other: DOMRect) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3
  /** True for a word that mustn't be broken across lines, because it isn't an address, a path or a variable's name. */
  const isOurWord = (word: string) => !/[./_@:\d]/.test(word.replace(/[.:…,;?!]+$/, ''))

  for (const command of document.querySelectorAll('code')) {
    const lines = new Set([...command.getClientRects()].map(({ top }) => Math.round(top)))
    const { lineHeight } = getComputedStyle(command)
    const isBroken = lines.size > 1 || command.clientHeight > 1.5 * Number.parseFloat(lineHeight)
    if (!mayBreakWords && command.checkVisibility() && isBroken) faults.push(`broken: ${command.textContent}`)
  }
  const shown: {
    readonly node: Node
    readonly text: string
    readonly rect: DOMRect
    readonly layer: Element | null
  }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    const text = node.nodeValue ?? ''
    if (parent === null || text.trim() === '' || !parent.checkVisibility() || parent.closest('.unseen')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    let rects = [...range.getClientRects()].filter(({ width }) => width > 0)
    for (let each: Element | null = parent; each !== null && each !== root; each = each.parentElement) {
      if (!clips(each)) continue
      const frame = each.getBoundingClientRect()
      // Text that is cut off on purpose has a tooltip with the whole text. A long menu scrolls.
      const isComplete = parent.closest('[title]') !== null || each.matches('.menu')
      if (rects.some((rect) => !isIn(rect, frame)) && !isComplete) faults.push(`cut off: ${text}`)
      rects = rects.map((rect) => within(rect, frame)).filter(({ width, height }) => width > 0 && height > 0)
    }
    for (const rect of rects) {
      if (rect.left < -0.5 || rect.right > root.clientWidth + 0.5) faults.push(`out of the window: ${text}`)
      shown.push({ node, text, rect, layer: parent.closest('.menu, header') })
    }
    const box = parent.closest('button, summary, label, .status, .card, .menu')
    if (box !== null && rects.some((rect) => !isIn(rect, box.getBoundingClientRect()))) {
      faults.push(`hangs out of its box: ${text}`)
    }
    if (mayBreakWords) continue
    for (const { 0: word, index } of text.matchAll(/[^\s\u00a0\u202f-]+-?/g)) {
      if (!isOurWord(word)) continue
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (tops.size > 1) faults.push(`broken within a word: ${word}`)
    }
  }
  // The header and its menus may cover what is beneath them.
  for (const [at, one] of shown.entries()) {
    for (const other of shown.slice(at + 1)) {
      if (one.node !== other.node && one.layer === other.layer && overlap(one.rect, other.rect))
        faults.push(`“${one.text}” lies over “${other.text}”`)
    }
  }
  return [...new Set(faults)]
}
