import type { Desktop } from './desktop.ts'
import type { ModelService } from './model-service.ts'

export type Family = NonNullable<ReturnType<ModelService['familyOf']>>

/** Whose a refresh token is, of the service and the identity provider of a desktop. */
export class Families {
  readonly #desktop: Pick<Desktop, 'service' | 'sso'>

  constructor(desktop: Pick<Desktop, 'service' | 'sso'>) {
    this.#desktop = desktop
  }

  of(token: string): Family | undefined {
    const { service, sso } = this.#desktop
    return service.familyOf(token) ?? sso.familyOf(token)
  }

  /** Of the first token in a text, such as a keychain entry. */
  inText(text = ''): Family | undefined {
    return this.of(text.match(/SECRET-refresh-[\d-]+/)?.[0] ?? '')
  }

  issuerOf(family: Family): ModelService {
    const { service, sso } = this.#desktop
    return service.families.includes(family) ? service : sso
  }

  isSameAccount(one: Family, other: Family): boolean {
    return one.username === other.username && this.issuerOf(one) === this.issuerOf(other)
  }
}
