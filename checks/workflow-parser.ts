/**
 * GitHub's errors in a workflow, found by GitHub's own parser: keys, types, expressions and their
 * contexts. The library imports JSON without attributes, as bundlers allow; Node needs a hook for
 * that.
 */
import { registerHooks } from 'node:module'

const asJson = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
asJson.deregister()

/** One line for each fault, with its place. */
export async function faultsIn(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}
