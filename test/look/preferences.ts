/** The system's preferences for colours and motion. Each function runs in the page, so it must be self-contained. */

/** What is wrong when the system forces its colours, for example a control without an edge. */
export function forcedColourFaults(): string[] {
  const faults: string[] = []
  const canvas = getComputedStyle(document.documentElement).backgroundColor
  const boxes =
    'button:not(.link, .icon, .switch, .row, [role], .service > button), input, .card, .menu, .choice, .switch-track'
  for (const each of document.querySelectorAll(boxes)) {
    if (!each.checkVisibility() || (each as HTMLInputElement).type === 'checkbox') continue
    const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(each)
    const hasEdge = borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) > 0 && borderTopColor !== canvas
    if (!hasEdge) faults.push(`no edge: ${each.tagName} ${each.className}`)
  }
  for (const each of document.querySelectorAll('.strength-bar .filled, .dot:is(.full, .diamond)')) {
    if (getComputedStyle(each).backgroundColor === canvas) faults.push(`not to be seen: ${each.classList}`)
  }
  // A transparent element shows the page's background.
  const ground = (element: Element) => {
    const { backgroundColor } = getComputedStyle(element.querySelector('.switch-track') ?? element)
    return backgroundColor.endsWith(', 0)') ? canvas : backgroundColor
  }
  for (const each of document.querySelectorAll<HTMLElement>('[aria-checked=true]')) {
    const other = document.querySelector(`[role=${each.role}][aria-checked=false]`)
    if (ground(each) === (other === null ? canvas : ground(other))) faults.push(`looks off: ${each.innerText}`)
  }
  // The primary button has the system's highlight colour; each problem has a mark and a thicker edge.
  const highlight = document.createElement('i')
  highlight.style.cssText = 'forced-color-adjust: none; background: Highlight'
  document.body.append(highlight)
  const expected = getComputedStyle(highlight).backgroundColor
  highlight.remove()
  for (const each of document.querySelectorAll<HTMLElement>('.remedy button')) {
    if (each.matches('.plain, .link, [aria-disabled=true]') || !each.checkVisibility()) continue
    if (getComputedStyle(each).backgroundColor !== expected) faults.push(`not highlighted: ${each.innerText}`)
  }
  for (const each of document.querySelectorAll('.status:is(.warn, .bad)')) {
    const heading = each.querySelector(':scope > :is(h1, strong)') ?? each
    if (getComputedStyle(heading, '::before').content === 'none') faults.push(`no mark: ${each.className}`)
    if (Number.parseFloat(getComputedStyle(each).borderInlineStartWidth) < 2) faults.push(`thin: ${each.className}`)
  }
  return faults
}

/** Unfinished animations by name, and unfinished transitions by property. */
export function movements(): string[] {
  return document
    .getAnimations()
    .filter(({ playState }) => playState !== 'finished')
    .map((animation) => (animation as CSSAnimation).animationName ?? (animation as CSSTransition).transitionProperty)
}
