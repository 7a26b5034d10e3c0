import type { Input, KeyboardInputEvent } from 'electron'

type Key = Pick<Input, 'type' | 'key' | 'modifiers' | 'meta' | 'control' | 'alt' | 'isComposing'>

/** More than anybody types before a page answers: of one that never does, no more is kept. */
const MOST = 1_000

/** What no key event can say, as it is still being composed, or was by the system (UI Events, KeyboardEvent key Values). */
const COMPOSED: readonly string[] = ['Process', 'Dead', 'Unidentified', '\u0000']

/**
 * What is typed into the window before its page answers, by somebody quick or by a program that types: it waits, and is
 * typed once the page does.
 */
export class HeldKeys {
  #held: Key[] | undefined

  /** From now on keys wait. Those that have waited were for a page that is gone. */
  hold(): void {
    this.#held = []
  }

  /** Whether this one waits; else it goes its own way. */
  take(key: Key): boolean {
    if (this.#held === undefined || !isForPage(key)) return false
    if (this.#held.length < MOST) this.#held.push(key)
    return true
  }

  /** No key waits any more. What has waited, in its order, as `webContents.sendInputEvent` takes it. */
  release(): readonly KeyboardInputEvent[] {
    const held = this.#held ?? []
    this.#held = undefined
    return held.flatMap(eventsOf)
  }
}

/** Those with Cmd or Alt are the system's, as Alt+F4. With Ctrl as well, Alt is AltGr, which types other characters. */
function isForPage({ key, meta, alt, control, isComposing }: Key): boolean {
  return !isComposing && !meta && (!alt || control) && !COMPOSED.includes(key)
}

/** A key that types something is an event of that, too (Electron: KeyboardInputEvent). */
function eventsOf({ type, key, modifiers, control, alt }: Key): KeyboardInputEvent[] {
  const of = (kind: KeyboardInputEvent['type'], keyCode: string): KeyboardInputEvent => ({
    type: kind,
    keyCode,
    modifiers: modifiers as NonNullable<KeyboardInputEvent['modifiers']>,
  })
  // Accelerators name some of the keys otherwise than the page does (Electron: Keyboard Shortcuts, Available key codes).
  const keyCode = key === ' ' ? 'Space' : key.replace(/^Arrow/, '')
  if (type !== 'keyDown') return [of('keyUp', keyCode)]
  const text = key === 'Enter' ? '\r' : key
  const isShortcut = control && !alt
  return [of('keyDown', keyCode), ...(text.length === 1 && !isShortcut ? [of('char', text)] : [])]
}
