/** A part of the app that a person or the desktop can see. The constructor shows nothing; `start()` does. */
export interface Surface {
  /** The name of this part in reports. */
  readonly name: string
  start(): void
  stop(): void | Promise<void>
}
