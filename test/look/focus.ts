/** The page's focus. Each function runs in the page, so it must be self-contained. */

/** What Tab must reach, in reading order. In a radio group, that is the chosen button. */
export function controls(): string[] {
  const found = document.querySelectorAll<HTMLElement>('button, input, summary, a, select, textarea')
  return [...found]
    .filter(
      (each) =>
        each.checkVisibility() && !each.matches(':disabled, [role^=menuitem], [role=radio][aria-checked=false]'),
    )
    .map((each) => `${each.tagName} ${each.innerText || each.ariaLabel || each.getAttribute('name') || ''}`)
}

/** The name of the focused control, as in `controls`, and what hides its focus ring. */
export function focused() {
  const each = document.activeElement as HTMLElement | null
  if (each === null || each === document.body) return { name: undefined, fault: undefined }
  const name = `${each.tagName} ${each.innerText || each.ariaLabel || each.getAttribute('name') || ''}`
  const { left, right, top, bottom, width, height } = each.getBoundingClientRect()
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each)
  const isHeading = each.tagName === 'H1'
  if (!isHeading && (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2)) return { name, fault: 'no ring' }
  if (!isHeading && outlineColor === getComputedStyle(document.documentElement).backgroundColor) {
    return { name, fault: 'a ring of the ground’s colour' }
  }
  if (left < 0 || right > document.documentElement.clientWidth) return { name, fault: 'outside the window' }
  if (height <= innerHeight && (top < -1 || bottom > innerHeight + 1)) {
    return { name, fault: `out of sight: ${top} to ${bottom} of ${innerHeight}` }
  }
  const inTheMiddle = document.elementFromPoint(
    left + width / 2,
    Math.min(Math.max(top, 0) + height / 2, innerHeight - 1),
  )
  if (inTheMiddle !== null && !each.contains(inTheMiddle))
    return { name, fault: `beneath ${inTheMiddle.className || inTheMiddle.tagName}` }
  return { name, fault: undefined }
}
