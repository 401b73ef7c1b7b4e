/** The calls of a description, one after the other. */
import type { DescribedOperation, OpenApi } from './openapi.ts'

export type DescribedCall = {
  id: string
  tag: string
  method: string
  path: string
  summary: string
  operation: DescribedOperation
}

export const callsOf = ({ paths }: OpenApi): DescribedCall[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ id: operation.operationId, tag: operation.tags[0] ?? '', method: method.toUpperCase() },
      ...{ path, summary: operation.summary, operation },
    })),
  )

/**
 * The part of a description that a reference leads to; any other value as it is.
 * @throws for a reference that leads nowhere
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

/** An overview for language models, in the form of https://llmstxt.org. */
export function llmsText(api: OpenApi): string {
  const { title, summary, description } = api.info
  const calls = callsOf(api)
  const groups = api.tags.map(({ name, description: what }) => {
    const own = calls.filter(({ tag }) => tag === name)
    const lines = own.map(
      ({ id, method, path, summary: text }) => `- [${text}](/developers/#${id}): ${method} ${path}`,
    )
    return `## ${name}\n\n${what}\n\n${lines.join('\n')}\n`
  })
  const whole =
    '- [openapi.json](/openapi.json): the whole API in OpenAPI 3.1, with schemas, examples and problem codes'
  return `# ${title}\n\n> ${summary} ${description}\n\n## Description\n\n${whole}\n\n${groups.join('\n')}`
}
