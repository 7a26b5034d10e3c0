import type { Input, KeyboardInputEvent } from 'electron'

type Key = Pick<Input, 'type' | 'key' | 'code' | 'modifiers' | 'meta' | 'control' | 'shift' | 'alt'> &
  Pick<Input, 'isAutoRepeat' | 'isComposing'>

/** How long keys wait at most: milliseconds. A page that takes longer has something wrong with it. */
const LONGEST = 5_000

/** What is no text, and how Electron names it (Electron: Keyboard Shortcuts, Available key codes). */
const NAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['Shift', 'Control', 'AltGraph', 'CapsLock', 'NumLock', 'Tab', 'Enter', 'Backspace', 'Delete', 'Escape']
      .concat('Insert', 'Home', 'End', 'PageUp', 'PageDown')
      .map((key) => [key, key]),
  ),
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
}

/**
 * What is typed into the window before its page answers, by somebody quick or by a program that types: it waits, and is
 * typed once the page does. All of it or nothing: half a password would be sent, and counted, as a wrong one. So what no
 * key event can say, such as an accent or an input method's text, lets all be forgotten, and so does a click, after which
 * it would go elsewhere.
 */
export class HeldKeys {
  readonly #platform: NodeJS.Platform
  #held: KeyboardInputEvent[] | undefined
  #limit: NodeJS.Timeout | undefined

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform
  }

  /** From now on keys wait. Those that have waited were for a page that is gone. */
  hold(): void {
    this.forget()
    this.#held = []
    this.#limit = setTimeout(() => this.forget(), LONGEST)
  }

  /** Whether this one waits; else it goes its own way. */
  take(key: Key): boolean {
    if (this.#held === undefined || isSystems(key, this.#platform)) return false
    // Held down since before the window was there: it is the launcher's.
    if (key.isAutoRepeat) return true
    const events = eventsOf(key)
    if (events === undefined) {
      // Let go, a key types nothing: it may be the one that has started the app.
      if (key.type === 'keyDown') this.forget()
      return false
    }
    this.#held.push(...events)
    return true
  }

  /** No key waits any more. What has waited, in its order, for `webContents.sendInputEvent`. */
  release(): readonly KeyboardInputEvent[] {
    const held = this.#held ?? []
    this.forget()
    return held
  }

  /** No key waits any more, and none has waited. */
  forget(): void {
    clearTimeout(this.#limit)
    this.#held = undefined
  }
}

/** Cmd+Q, Alt+F4. With Alt alone a key types something on macOS (Option), with Ctrl and Alt on Windows (AltGr). */
function isSystems({ key, meta, alt, control }: Key, platform: NodeJS.Platform): boolean {
  if (meta || key === 'Meta' || key === 'Alt') return true
  return alt && !control && !(platform === 'darwin' && isText(key))
}

/** One UTF-16 unit, but for NUL, which stands for what the system has typed without a key. */
const isText = (key: string): boolean => key.length === 1 && key !== '\0'

/** Nothing where events can't say what the key says. What types something is an event of that, too. */
function eventsOf(key: Key): KeyboardInputEvent[] | undefined {
  const keyCode = keyCodeOf(key)
  if (keyCode === undefined) return undefined
  const of = (type: KeyboardInputEvent['type'], code: string): KeyboardInputEvent => ({
    type,
    keyCode: code,
    modifiers: key.modifiers as NonNullable<KeyboardInputEvent['modifiers']>,
  })
  if (key.type !== 'keyDown') return [of('keyUp', keyCode)]
  const text = key.key === 'Enter' ? '\r' : key.key
  return [of('keyDown', keyCode), ...(isText(text) && !isShortcut(key) ? [of('char', text)] : [])]
}

const isShortcut = ({ control, alt }: Key): boolean => control && !alt

const latinOf = ({ key, code }: Key): string | undefined =>
  /^[a-z]$/i.test(key) ? key : /^Key([A-Z])$/.exec(code)?.[1]

function keyCodeOf(key: Key): string | undefined {
  if (key.isComposing) return undefined
  if (!isText(key.key)) return NAMED[key.key]
  // On a keyboard of other letters by its place. With Shift as well it may begin a character's number.
  if (isShortcut(key)) return key.shift ? undefined : latinOf(key)
  return key.key === ' ' ? 'Space' : key.key
}
