/** Tokens from Windows' SSPI (sspi.h) for the user who is signed in to Windows: for Kerberos or, failing that, NTLM. */
import { promisify } from 'node:util'
import koffi from 'koffi'
import { type Negotiation, NegotiationError, type NegotiationScheme } from './negotiation.ts'

const SEC_E_OK = 0
const SEC_I_CONTINUE_NEEDED = 0x0009_0312
const SECPKG_CRED_OUTBOUND = 2
const SECURITY_NETWORK_DREP = 0
const SECBUFFER_TOKEN = 2
/** The largest token that Windows makes (Microsoft: MaxTokenSize). */
const MAX_TOKEN_BYTES = 48_000

interface Handle {
  readonly lower: number | bigint
  readonly upper: number | bigint
}

/** Windows writes the token into `bytes`, and its length into `record`. */
interface Token {
  readonly bytes: Uint8Array
  readonly record: unknown
  length(): number
}

function tokenOf(bytes: Uint8Array): Token {
  const buffer = koffi.alloc('SecBuffer', 1)
  koffi.encode(buffer, 'SecBuffer', { cbBuffer: bytes.length, BufferType: SECBUFFER_TOKEN, pvBuffer: bytes })
  return {
    bytes,
    record: { ulVersion: 0, cBuffers: 1, pBuffers: buffer },
    length: () => koffi.decode(buffer, 'SecBuffer').cbBuffer,
  }
}

let loaded: ReturnType<typeof load> | undefined

function load() {
  const library = koffi.load('secur32.dll')
  koffi.struct('SecHandle', { lower: 'uintptr_t', upper: 'uintptr_t' })
  koffi.struct('SecBuffer', { cbBuffer: 'uint32_t', BufferType: 'uint32_t', pvBuffer: 'void *' })
  koffi.struct('SecBufferDesc', { ulVersion: 'uint32_t', cBuffers: 'uint32_t', pBuffers: 'void *' })
  const acquire = library.func(
    `int32_t __stdcall AcquireCredentialsHandleW(str16 principal, str16 package, uint32_t use, void *logon, void *data,
      void *getKey, void *argument, _Out_ SecHandle *credentials, _Out_ int64_t *expiry)`,
  )
  const init = promisify(
    library.func(
      `int32_t __stdcall InitializeSecurityContextW(SecHandle *credentials, SecHandle *context, str16 target,
        uint32_t flags, uint32_t reserved, uint32_t representation, SecBufferDesc *input, uint32_t reserved2,
        _Out_ SecHandle *next, SecBufferDesc *output, _Out_ uint32_t *attributes, _Out_ int64_t *expiry)`,
    ).async,
  )
  const freeCredentials = library.func('int32_t __stdcall FreeCredentialsHandle(SecHandle *credentials)')
  const deleteContext = library.func('int32_t __stdcall DeleteSecurityContext(SecHandle *context)')
  return {
    acquire(scheme: NegotiationScheme): Handle {
      const credentials = {} as Handle
      const status = acquire(null, scheme, SECPKG_CRED_OUTBOUND, null, null, null, null, credentials, [0])
      if (status !== SEC_E_OK) throw new NegotiationError('no Kerberos library')
      return credentials
    },
    async init(credentials: Handle, context: Handle | null, host: string, input: Token | null, output: Token) {
      const next = {} as Handle
      // SECURITY: no flag is set, so the user's ticket is not delegated to the proxy.
      const status: number = await init(
        credentials,
        context,
        `HTTP/${host}`,
        0,
        0,
        SECURITY_NETWORK_DREP,
        input?.record ?? null,
        0,
        next,
        output.record,
        [0],
        [0],
      )
      return { status, context: next }
    },
    free(credentials: Handle, context: Handle | null): void {
      if (context !== null) deleteContext(context)
      freeCredentials(credentials)
    },
  }
}

export function negotiateWithSspi(scheme: NegotiationScheme, host: string): Negotiation {
  loaded ??= load()
  const sspi = loaded
  const credentials = sspi.acquire(scheme)
  let context: Handle | null = null
  return {
    async next(challenge) {
      const output = tokenOf(new Uint8Array(MAX_TOKEN_BYTES))
      const made = await sspi.init(credentials, context, host, challenge ? tokenOf(challenge) : null, output)
      if (made.status !== SEC_E_OK && made.status !== SEC_I_CONTINUE_NEEDED) {
        throw new NegotiationError(challenge ? 'Kerberos refused' : 'no Kerberos ticket')
      }
      context = made.context
      return output.bytes.slice(0, output.length())
    },
    end: () => sspi.free(credentials, context),
  }
}
