/** How a client proves to the provider that it has the secret (RFC 6749 section 2.3.1). */
import { assertNever } from '../../contract/assert-never.ts'
import { fail, type Outcome } from '../../contract/failures.ts'
import { password, type Secret } from '../base/secret.ts'
import { type Answer, isHtml, isSuccess } from './answer.ts'
import { meaningOf } from './provider-answer.ts'
import type { Metadata } from './provider-metadata.ts'
import { formEncoded, type HttpRequest } from './request.ts'

/** `plainBasic`: without the form encoding, which some providers don't undo (glewlwyd: client_check_password). */
type Method = 'client_secret_basic' | 'plainBasic' | 'client_secret_post'
type Form = NonNullable<HttpRequest['form']>

/** The errors that providers send if they don't accept the method (RFC 6749 section 5.2). */
const REFUSALS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'])
export class ClientAuthentication {
  readonly #clientId: string
  readonly #secret: Secret | undefined
  /** The method that the provider accepted last. */
  #accepted: Method | undefined

  constructor(clientId: string, secret: Secret | undefined) {
    this.#clientId = clientId
    this.#secret = secret
  }

  /**
   * Calls `send` with the client's authentication. If the provider refuses the method, tries the others once.
   */
  async authenticate(
    form: Form,
    methods: readonly string[] | undefined,
    send: (authenticated: Pick<HttpRequest, 'form' | 'authorization'>) => Promise<Outcome<Answer>>,
  ): Promise<Outcome<Answer>> {
    const secret = this.#secret
    // A public client only names itself.
    if (secret === undefined) return send({ form: { ...form, client_id: this.#clientId } })
    const attempt = async (method: Method): Promise<Outcome<Answer>> => {
      const result = await send(this.#with(method, form, secret))
      if (result.ok && isSuccess(result.value) && !this.#isRefused(result)) this.#accepted = method
      return result
    }
    let first: Outcome<Answer> | undefined
    for (const method of this.#inOrder(this.#accepted ?? preferred(methods), secret)) {
      const result = await attempt(method)
      // Some providers use up the code before they look at the secret. The next sign-in begins with the right method.
      if (first !== undefined && result.ok && meaningOf(result.value) === 'invalid_grant') this.#accepted = method
      if (!this.#isRefused(result)) return result
      first ??= result
    }
    return first ?? fail({ code: 'notConfigured' })
  }

  #inOrder(first: Method, secret: Secret): ReadonlySet<Method> {
    const isPlain = [this.#clientId, secret.reveal()].every((text) => formEncoded(text) === text)
    return new Set([first, 'client_secret_basic', 'client_secret_post', ...(isPlain ? [] : ['plainBasic' as const])])
  }

  #with(method: Method, form: Form, secret: Secret): Pick<HttpRequest, 'form' | 'authorization'> {
    switch (method) {
      case 'client_secret_basic':
        return { form, authorization: { kind: 'client', id: this.#clientId, secret } }
      case 'plainBasic':
        return { form, authorization: { kind: 'basic', username: this.#clientId, password: password(secret.reveal()) } }
      case 'client_secret_post':
        return { form: { ...form, client_id: this.#clientId, client_secret: secret } }
      default:
        return assertNever(method)
    }
  }

  #isRefused(result: Outcome<Answer>): boolean {
    if (!result.ok || isHtml(result.value)) return false
    const { status } = result.value
    const error = meaningOf(result.value)
    if (error !== undefined && REFUSALS.has(error)) return true
    // A provider that doesn't read the method finds no client ID, and some say so in these ways.
    return this.#accepted === undefined && (error === 'invalid_request' || (error === undefined && status === 401))
  }
}

/** Without a list, the method is `client_secret_basic` (RFC 8414 section 2, OpenID Connect Discovery 1.0 section 3). */
function preferred(methods: readonly string[] | undefined): Method {
  const isPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return isPost ? 'client_secret_post' : 'client_secret_basic'
}

/** The methods that the provider's metadata list for an endpoint. */
export const methodsFor = (metadata: Metadata, url: URL): readonly string[] | undefined => {
  const isRevocation = url.href === metadata.revocation_endpoint
  return (
    (isRevocation ? metadata.revocation_endpoint_auth_methods_supported : undefined) ??
    metadata.token_endpoint_auth_methods_supported
  )
}
