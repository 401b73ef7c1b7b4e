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
