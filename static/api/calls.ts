/** Lists the calls of an API description, and writes the overview `llms.txt`. */
import type { DescribedOperation, OpenApi, Response } from './openapi.ts'

export type DescribedCall = {
  id: string
  tag: string
  method: string
  path: string
  summary: string
  operation: DescribedOperation
}

export const callsOf = ({ paths }: OpenApi): DescribedCall[] => callsIn(paths)

const callsIn = (described: OpenApi['paths']): DescribedCall[] =>
  Object.entries(described).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ id: operation.operationId, tag: operation.tags[0] ?? '', method: method.toUpperCase() },
      ...{ path, summary: operation.summary, operation },
    })),
  )

/**
 * Resolves a reference into the description; returns any other value as it is.
 * @throws for a dangling reference
 */
export function resolve(api: OpenApi, value: unknown): unknown {
  const reference = (value as { $ref?: string } | undefined)?.$ref
  if (reference === undefined) return value
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], api)
  if (found === undefined) throw new Error(`nothing is described at ${reference}`)
  return found
}

/** Returns the problem codes that an operation may answer with that status. */
export function codesOf(api: OpenApi, { responses }: DescribedOperation, status: number | string): string[] {
  const { content } = resolve(api, responses[status]) as Response
  const { schema } = (content?.['application/problem+json'] ?? {}) as { schema?: ProblemSchema }
  return [...(schema?.allOf[1].properties.code.enum ?? [])]
}

type ProblemSchema = { allOf: [unknown, { properties: { code: { enum: readonly string[] } } }] }

/** Returns each problem code of each operation, as `<operation> <code>`. */
export const problemsIn = (api: OpenApi): string[] =>
  callsOf(api).flatMap(({ id, operation }) =>
    Object.keys(operation.responses).flatMap((status) =>
      codesOf(api, operation, status).map((code) => `${id} ${code}`),
    ),
  )

/** Writes the overview for language models in the format of https://llmstxt.org. */
export function llmsText(api: OpenApi): string {
  const { title, summary, description } = api.info
  // The path of a webhook is the type of its event.
  const calls = [...callsOf(api), ...callsIn(api.webhooks)]
  const groups = api.tags.map(({ name, description: what }) => {
    const own = calls.filter(({ tag }) => tag === name)
    const lines = own.map(
      ({ id, tag, method, path, summary: text }) => `- [${text}](/developers/#/${tag}/${id}): ${method} ${path}`,
    )
    return `## ${name}\n\n${what}\n\n${lines.join('\n')}\n`
  })
  const whole =
    '- [openapi.json](/openapi.json): the whole API in OpenAPI 3.1, with schemas, examples and problem codes'
  return `# ${title}\n\n> ${summary} ${description}\n\n## Description\n\n${whole}\n\n${groups.join('\n')}`
}
