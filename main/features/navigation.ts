import type { AppView, NavigationRequest } from '../../contract/views.ts'

export class Navigation {
  readonly #changed: () => void
  #last: NavigationRequest | undefined
  #number = 0

  constructor(changed: () => void) {
    this.#changed = changed
  }

  view(): Pick<AppView, 'navigation'> {
    return this.#last === undefined ? {} : { navigation: this.#last }
  }

  request(screen: NavigationRequest['screen']): void {
    this.#number += 1
    this.#last = { screen, number: this.#number }
    this.#changed()
  }

  /** Call this when the window is closed, so that the next one opens its usual screen. */
  clear(): void {
    this.#last = undefined
    this.#changed()
  }
}
