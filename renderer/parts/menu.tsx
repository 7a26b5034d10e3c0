import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { placed } from './opened.ts'

export interface MenuItem {
  readonly label: ComponentChildren
  readonly act: () => void
  /** True for the current option of a choice; absent in a menu of actions. */
  readonly isChosen?: boolean
}

interface MenuProps {
  /** Names the menu's button for `placed`, so that the focus can return to it. */
  readonly place: string
  readonly label: string
  readonly children: ComponentChildren
  readonly head?: ComponentChildren
  readonly groups: readonly (readonly MenuItem[])[]
}

/** A button with a menu, as in the menu button pattern of the ARIA Authoring Practices. */
export const Menu = ({ place, label, children, head, groups }: MenuProps) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const items = () => [...(whole.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
  useLayoutEffect(() => {
    if (isOpen) items()[0]?.focus()
  }, [isOpen])

  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    if (!isOpen) {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      return setOpen(true)
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.stopPropagation()
      return close()
    }
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (!whole.current?.contains(relatedTarget as Node | null)) setOpen(false)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are for the buttons in it
    <div ref={whole} class={`menu-of ${place}`} onKeyDown={onKey} onFocusOut={onFocusOut}>
      <button
        ref={opener}
        type="button"
        {...placed(place)}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        // The second click of a double click must not close the menu that the first one opened.
        onClick={({ detail }) => detail < 2 && setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div class="menu">
          {head}
          <div id={id} role="menu" aria-label={label}>
            {groups
              .filter(({ length }) => length > 0)
              .map((group, index) => (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset isn't allowed in a menu
                <div key={index} role="group">
                  {group.map((item, at) => (
                    <Item key={at} {...item} onChosen={close} />
                  ))}
                </div>
              ))}
          </div>
        </div>
      )}
    </div>
  )
}

const Item = ({ label, act, isChosen, onChosen }: MenuItem & { readonly onChosen: () => void }) => {
  const kind =
    isChosen === undefined
      ? ({ role: 'menuitem' } as const)
      : ({ role: 'menuitemradio', 'aria-checked': isChosen } as const)
  const choose = () => {
    // The focus goes back to the menu's button first, so that a screen that `act` opens can later return it there.
    onChosen()
    act()
  }
  return (
    <button type="button" {...kind} tabIndex={-1} onClick={choose}>
      {label}
    </button>
  )
}
