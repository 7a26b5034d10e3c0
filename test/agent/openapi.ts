import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

export type Schema = { readonly enum?: readonly string[]; readonly properties: Record<string, Schema> }

interface Holder {
  readonly content: Readonly<Record<string, { readonly schema: Schema & { readonly allOf?: readonly Schema[] } }>>
}

interface Operation {
  readonly requestBody?: Holder
  readonly responses: Readonly<Record<string, Holder>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export function readOpenApi(file: URL): Document {
  const document = JSON.parse(readFileSync(file, 'utf8'))
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value && typeof value.$ref === 'string') {
      const steps = value.$ref.slice(2).split('/')
      return resolved(steps.reduce((at, step) => at[step], document))
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each)]))
  }
  return resolved(document) as Document
}

/** A strict Ajv would reject the keywords that only OpenAPI has. */
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ } })

export function problems(value: unknown, schema: Schema | undefined): string[] {
  if (schema === undefined) return ['there is no schema']
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
