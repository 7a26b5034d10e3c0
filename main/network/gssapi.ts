/** Kerberos tokens from the system's GSSAPI (RFC 2744, RFC 4178): MIT's on Linux, Apple's framework on macOS. */
import { promisify } from 'node:util'
import koffi from 'koffi'
import { type Negotiation, NegotiationError } from './negotiation.ts'

const COMPLETE = 0
const CONTINUE_NEEDED = 1
/** SPNEGO's object identifier, 1.3.6.1.5.5.2 (RFC 4178). */
const SPNEGO = Uint8Array.of(0x2b, 0x06, 0x01, 0x05, 0x05, 0x02)

interface GssBuffer {
  readonly length: number | bigint
  readonly value: Uint8Array | bigint | null
}

/** The functions of GSSAPI. Each returns its major status. Only `init` may have to wait for the network. */
interface Gssapi {
  importName(minor: [number], text: GssBuffer, type: bigint, name: [bigint | null]): number
  init(context: [bigint | null], target: bigint, input: GssBuffer | null, output: Partial<GssBuffer>): Promise<number>
  releaseBuffer(minor: [number], buffer: GssBuffer): number
  releaseName(minor: [number], name: [bigint | null]): number
  deleteContext(minor: [number], context: [bigint | null], output: null): number
  /** The type of the name of a service on a host, such as `HTTP@host`. */
  readonly hostBased: bigint
}

let loaded: Gssapi | undefined

function load(platform: NodeJS.Platform): Gssapi {
  const isApple = platform === 'darwin'
  const library = koffi.load(isApple ? '/System/Library/Frameworks/GSS.framework/GSS' : 'libgssapi_krb5.so.2')
  koffi.struct('gss_buffer', { length: 'size_t', value: 'void *' })
  koffi.struct('gss_oid', { length: 'uint32_t', elements: 'void *' })
  const init = promisify(
    library.func(
      `uint32_t gss_init_sec_context(_Out_ uint32_t *minor, void *credentials, _Inout_ void **context, void *target,
        gss_oid *mechanism, uint32_t flags, uint32_t seconds, void *bindings, gss_buffer *input, void *actual,
        _Out_ gss_buffer *output, void *given, void *validity)`,
    ).async,
  )
  // Apple exports the identifiers of the name type and of SPNEGO as structures (gssapi_oid.h). MIT exports only the
  // name type's, as a pointer to a structure.
  const hostBased = library.symbol(isApple ? '__gss_c_nt_hostbased_service_oid_desc' : 'GSS_C_NT_HOSTBASED_SERVICE')
  const mechanism = isApple
    ? library.symbol('__gss_spnego_mechanism_oid_desc')
    : { length: SPNEGO.length, elements: SPNEGO }
  return {
    importName: library.func(
      'uint32_t gss_import_name(_Out_ uint32_t *minor, gss_buffer *text, void *type, _Out_ void **name)',
    ),
    // SECURITY: no flag is set, so the user's ticket is not delegated to the proxy.
    init: (context, target, input, output) =>
      init([0], null, context, target, mechanism, 0, 0, null, input, null, output, null, null),
    releaseBuffer: library.func('uint32_t gss_release_buffer(_Out_ uint32_t *minor, _Inout_ gss_buffer *buffer)'),
    releaseName: library.func('uint32_t gss_release_name(_Out_ uint32_t *minor, _Inout_ void **name)'),
    deleteContext: library.func(
      'uint32_t gss_delete_sec_context(_Out_ uint32_t *minor, _Inout_ void **context, void *output)',
    ),
    hostBased: isApple ? hostBased : koffi.decode(hostBased, 'void *'),
  }
}

const bufferOf = (bytes: Uint8Array): GssBuffer => ({ length: bytes.length, value: bytes })

/** Begins a sign-in at the service `HTTP` of the host, as the owner of the user's Kerberos ticket (RFC 4559). */
export function negotiateWithGssapi(platform: NodeJS.Platform, host: string): Negotiation {
  loaded ??= load(platform)
  const gssapi = loaded
  const context: [bigint | null] = [null]
  const name: [bigint | null] = [null]
  gssapi.importName([0], bufferOf(Buffer.from(`HTTP@${host}`)), gssapi.hostBased, name)
  return {
    async next(challenge) {
      const output: Partial<GssBuffer> = {}
      const target = name[0]
      if (target === null) throw new NegotiationError('no Kerberos ticket')
      const status = await gssapi.init(context, target, challenge ? bufferOf(challenge) : null, output)
      const { length = 0, value } = output
      const token =
        typeof value === 'bigint' ? Uint8Array.from(koffi.decode(value, 'uint8_t', Number(length))) : undefined
      if (typeof value === 'bigint') gssapi.releaseBuffer([0], { length, value })
      if (status !== COMPLETE && status !== CONTINUE_NEEDED) {
        throw new NegotiationError(challenge ? 'Kerberos refused' : 'no Kerberos ticket')
      }
      if (token === undefined) throw new NegotiationError('Kerberos refused')
      return token
    },
    end() {
      gssapi.deleteContext([0], context, null)
      gssapi.releaseName([0], name)
    },
  }
}
