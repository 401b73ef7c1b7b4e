/**
 * What GitHub would refuse in a workflow, said by GitHub's own parser: keys, types, expressions and
 * the contexts they may use. It is a library for bundlers, which import JSON as it stands; Node
 * wants to be told that it is JSON.
 */
import { registerHooks } from 'node:module'

const asJson = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import(
  '@actions/workflow-parser'
)
asJson.deregister()

/** One line for each fault, with its place. */
export async function faultsIn(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}
