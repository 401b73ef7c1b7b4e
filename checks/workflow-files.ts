/** The workflows as data: the parts of GitHub's format that we use. */
import { parse as parseYaml } from 'yaml'
import * as z from 'zod/mini'
import { parse } from '../core/lib/parse.ts'
import type { Tree } from './tree.ts'

const permissions = z.record(z.string(), z.string())
const step = z.looseObject({
  name: z.optional(z.string()),
  id: z.optional(z.string()),
  env: z.optional(z.record(z.string(), z.string())),
  uses: z.optional(z.string()),
  run: z.optional(z.string()),
  if: z.optional(z.string()),
  with: z.optional(z.record(z.string(), z.unknown())),
})
const concurrency = z.object({ group: z.string(), 'cancel-in-progress': z.boolean() })
const job = z.looseObject({
  needs: z.optional(z.union([z.string(), z.array(z.string())])),
  if: z.optional(z.string()),
  uses: z.optional(z.string()),
  with: z.optional(z.record(z.string(), z.unknown())),
  'timeout-minutes': z.optional(z.number()),
  environment: z.optional(z.string()),
  concurrency: z.optional(concurrency),
  permissions: z.optional(permissions),
  steps: z._default(z.array(step), []),
})
const workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions,
  concurrency: z.optional(concurrency),
  jobs: z.record(z.string(), job),
})

type Job = z.infer<typeof job>
export type Workflow = z.infer<typeof workflow>

const folder = '.github/workflows'

export const workflowFiles = (tree: Tree): readonly string[] => tree.list(folder)

/** @throws when it is not a workflow of ours */
export function readWorkflow(tree: Tree, file: string): Workflow {
  const found = parse(workflow, parseYaml(tree.text(file)))
  if (!found.ok) throw new Error(`${file}: ${found.detail}`)
  return found.value
}

/** @throws when the workflow has no such job */
export function jobOf({ jobs }: Workflow, name: string): Job {
  const found = jobs[name]
  if (found === undefined) throw new Error(`there is no job ${name}`)
  return found
}

/** How a workflow writes an input. */
export const given = (expression: string): string => `\${{ ${expression} }}`

/** The jobs and steps that bring a stage up to date. */
export function deployment(tree: Tree) {
  const stage = readWorkflow(tree, `${folder}/stage.yml`)
  return {
    deploy: readWorkflow(tree, `${folder}/deploy.yml`),
    stage: jobOf(stage, 'stage'),
    previous: jobOf(stage, 'previous'),
  }
}
