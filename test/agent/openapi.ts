/** Checks values against the schemas in the agent's OpenAPI file. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Json = { readonly [name: string]: unknown }

/** A strict Ajv would reject the keywords that only OpenAPI has. */
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ } })

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

interface Documented {
  readonly path: string
  readonly method: string
  readonly parameters: readonly { readonly name: string; readonly schema: Json }[]
  readonly body: Json | undefined
  readonly responses: readonly DocumentedResponse[]
}

interface DocumentedResponse {
  readonly status: number
  /** The schemas of the response's body, by media type. */
  readonly content: ReadonlyMap<string, Json>
}

export class OpenApi {
  readonly #document: Json

  constructor(file: URL) {
    this.#document = JSON.parse(readFileSync(file, 'utf8'))
  }

  /** Every operation, with its references resolved. */
  get operations(): readonly Documented[] {
    return Object.entries(this.#at('#/paths')).flatMap(([path, item]) =>
      Object.entries(this.follow(item)).map(([method, operation]) =>
        this.#operation(path, method, this.follow(operation)),
      ),
    )
  }

  schema(name: string): Json {
    return this.#at(`#/components/schemas/${name}`)
  }

  follow(value: unknown): Json {
    if (!isObject(value)) throw new Error(`no object: ${JSON.stringify(value)}`)
    return typeof value['$ref'] === 'string' ? this.follow(this.#at(value['$ref'])) : value
  }

  /** Returns a text for each violation of the schema. */
  problems(value: unknown, schema: Json): string[] {
    // The schema may refer to any of the document's components.
    const validate = ajv.compile({ ...this.follow(schema), components: this.#document['components'] })
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  #operation(path: string, method: string, operation: Json): Documented {
    const list = (operation['parameters'] as unknown[] | undefined) ?? []
    const body = operation['requestBody'] === undefined ? undefined : this.follow(operation['requestBody'])
    return {
      path,
      method: method.toUpperCase(),
      parameters: list.map((each) => {
        const parameter = this.follow(each)
        return { name: String(parameter['name']), schema: this.follow(parameter['schema']) }
      }),
      body: body && this.#contentOf(body).get('application/json'),
      responses: Object.entries(this.follow(operation['responses'])).map(([status, response]) => {
        const followed = this.follow(response)
        return { status: Number(status), content: this.#contentOf(followed) }
      }),
    }
  }

  #contentOf(holder: Json): Map<string, Json> {
    const content = Object.entries(this.follow(holder['content']))
    return new Map(content.map(([type, media]) => [type, this.follow(this.follow(media)['schema'])]))
  }

  #at(reference: string): Json {
    let value: unknown = this.#document
    for (const step of reference.replace(/^#\//, '').split('/')) {
      value = isObject(value) ? value[step.replace(/~1/g, '/')] : undefined
    }
    if (!isObject(value)) throw new Error(`nothing at ${reference}`)
    return value
  }
}
