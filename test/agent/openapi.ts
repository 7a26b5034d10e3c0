/** Reads the agent's OpenAPI file and validates values against its schemas. */
import { readFileSync } from 'node:fs'

type Json = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

export interface Documented {
  readonly path: string
  readonly method: string
  readonly parameters: readonly { readonly name: string; readonly schema: Json }[]
  readonly body: Json | undefined
  readonly responses: readonly DocumentedResponse[]
}

export interface DocumentedResponse {
  readonly status: number
  /** Header names in lower case, with their schemas. */
  readonly headers: ReadonlyMap<string, Json>
  /** Media types with their schemas. */
  readonly content: ReadonlyMap<string, Json>
}

export class OpenApi {
  readonly #document: Json

  constructor(file: URL) {
    this.#document = JSON.parse(readFileSync(file, 'utf8'))
  }

  /** Every operation, with all references followed. */
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

  /** Returns one text for each violation of the schema. Throws an error if the schema has an unknown keyword. */
  problems(value: unknown, given: Json, where = '$'): string[] {
    const schema = this.follow(given)
    const problems: string[] = []
    for (const [keyword, demanded] of Object.entries(schema)) {
      if (ANNOTATIONS.has(keyword)) continue
      const check = KEYWORDS[keyword]
      if (check === undefined) throw new Error(`a keyword that the test does not know: ${keyword}`)
      if (!check(value, demanded))
        problems.push(`${where} is ${JSON.stringify(value)}, not ${keyword} ${JSON.stringify(demanded)}`)
    }
    for (const each of (schema['allOf'] as Json[] | undefined) ?? [])
      problems.push(...this.problems(value, each, where))
    const oneOf = schema['oneOf'] as Json[] | undefined
    if (oneOf !== undefined && oneOf.filter((each) => this.problems(value, each).length === 0).length !== 1)
      problems.push(`${where} is ${JSON.stringify(value)}, not one of ${JSON.stringify(oneOf)}`)
    if (!isObject(value)) return problems
    const properties: Json = isObject(schema['properties']) ? schema['properties'] : {}
    for (const [name, member] of Object.entries(value)) {
      const expected = properties[name]
      if (expected !== undefined) problems.push(...this.problems(member, this.follow(expected), `${where}.${name}`))
      else if (schema['additionalProperties'] === false) problems.push(`${where}.${name} is not in the file`)
    }
    return problems
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
        const headers = Object.entries((followed['headers'] as Json | undefined) ?? {}).map(
          ([name, header]): [string, Json] => [name.toLowerCase(), this.follow(this.follow(header)['schema'])],
        )
        return { status: Number(status), headers: new Map(headers), content: this.#contentOf(followed) }
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

const ANNOTATIONS = new Set([
  'description',
  'examples',
  'default',
  'properties',
  'additionalProperties',
  'allOf',
  'oneOf',
])

const KEYWORDS: Record<string, (value: unknown, demanded: unknown) => boolean> = {
  type: (value, type) =>
    type === 'object' ? isObject(value) : type === 'integer' ? Number.isInteger(value) : typeof value === type,
  format: (value, format) =>
    format === 'date-time' && typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value),
  enum: (value, values) => (values as unknown[]).includes(value),
  required: (value, names) => isObject(value) && (names as string[]).every((name) => Object.hasOwn(value, name)),
  maxLength: (value, most) => typeof value === 'string' && value.length <= Number(most),
  minLength: (value, least) => typeof value === 'string' && value.length >= Number(least),
  minimum: (value, least) => typeof value === 'number' && value >= Number(least),
  maximum: (value, most) => typeof value === 'number' && value <= Number(most),
}
