/** The schemas of the API as JSON Schema 2020-12, which is what OpenAPI 3.1 has. */
import * as z from 'zod/mini'
import { parserBehind } from '../../core/lib/parse.ts'
import { type JsonSchema, shapes } from './shapes.ts'

type Definition = {
  type: string
  fn?: object
  transform?: object
  in?: z.core.$ZodType
  out?: z.core.$ZodType
}
type Overridden = {
  zodSchema: z.core.$ZodType
  jsonSchema: Record<string, unknown>
  path: (string | number)[]
}

/** The only numbers of the API that are not whole: times, amounts and counts are. */
const fractions: ReadonlySet<unknown> = new Set(['admissionRatio', 'rate', 'share'])

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as Definition

/**
 * What a client sends (`input`), or is sent (`output`). An answer may have more members than it says: a newer
 * version adds some.
 * @throws for a parser without a shape
 */
export function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const override = ({ zodSchema, jsonSchema, path }: Overridden) => {
    Object.assign(jsonSchema, ofParser(zodSchema, io, path))
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    delete jsonSchema.readOnly
    if (jsonSchema.type === 'number' && !path.some((part) => fractions.has(part))) jsonSchema.type = 'integer'
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  }
  const { $schema, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override })
  return made
}

function ofParser(schema: z.core.$ZodType, io: 'input' | 'output', path: (string | number)[]): JsonSchema | undefined {
  const { type, fn, in: first, out: last } = definitionOf(schema)
  if (type === 'custom') {
    const shape = shapeBehind(fn)
    if (shape === undefined)
      throw new Error(`no JSON Schema for the parser at ${path.join('.')}; add it to static/api/shapes.ts`)
    return shape
  }
  if (type !== 'pipe' || first === undefined || last === undefined) return undefined
  // A step that fills in what follows takes what the next one takes.
  if (definitionOf(first).type === 'transform') return jsonSchemaOf(last, io)
  return shapeBehind(definitionOf(last).transform)
}

function shapeBehind(used: object | undefined): JsonSchema | undefined {
  return used && shapes.get(parserBehind.get(used) ?? used)
}
