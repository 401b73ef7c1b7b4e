/** The workflows as GitHub reads them: valid, with no more rights than they need, in the order that protects a shop. */
import { registerHooks } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod/mini'
import { parse } from '../core/lib/parse.ts'
import { reviewedStages } from '../infra/settings/stage.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const deployFile = '.github/workflows/deploy.yml'
const stageFile = '.github/workflows/stage.yml'
const ciFile = '.github/workflows/ci.yml'

export async function checkWorkflows(tree: Tree): Promise<Finding[]> {
  const files = workflowFiles(tree)
  const faults = await Promise.all(
    files.map(async (file) =>
      (await faultsIn(file, tree.text(file))).map((fault) => {
        const line = Number(/\(Line: (\d+)/.exec(fault)?.[1] ?? 1)
        return { file, line, what: `${fault}; GitHub would refuse the workflow` }
      }),
    ),
  )
  const found = faults.flat()
  if (found.length > 0) return found
  const actions = new Map<string, string>()
  return [...files.flatMap((file) => everyJob(tree, file, actions)), ...order(tree)]
}

/** Checks each workflow and job. `actions` collects the versions in use. */
function everyJob(tree: Tree, file: string, actions: Map<string, string>): Finding[] {
  const source = tree.text(file)
  const { permissions, jobs } = readWorkflow(tree, file)
  const uses = [...source.matchAll(/(?<=uses: )(?!\.\/)([^@\n]*).*/g)].flatMap(({ index, 0: used, 1: action = '' }) => {
    const former = actions.get(action) ?? used
    actions.set(action, former)
    const isPinned = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used)
    const what = `uses ${used}; name one commit everywhere, and the version beside it`
    return isPinned && used === former ? [] : [findingAt(file, source, index, what)]
  })
  const secret = source.search(/\bsecrets\b|pull_request_target/)
  const inJobs = Object.entries(jobs).flatMap(([name, job]) => {
    const { 'id-token': token, ...rights } = job.permissions ?? {}
    const isStage = file === stageFile ? name === 'stage' : job.uses === './.github/workflows/stage.yml'
    const checkouts = job.steps.filter((step) => step.uses?.startsWith('actions/checkout@'))
    const faults: [isSo: boolean, what: string][] = [
      [!isDeepStrictEqual(rights, { contents: 'read' }), 'has other rights than to read; give it contents: read'],
      [token !== (isStage ? 'write' : undefined), 'has the wrong id-token; only jobs of a stage may take a role'],
      [job.uses === undefined && !((job['timeout-minutes'] ?? 0) > 0), 'has no timeout; add timeout-minutes'],
      [
        checkouts.some((step) => step.with?.['persist-credentials'] !== false),
        'leaves credentials in its checkout; add persist-credentials: false',
      ],
      [
        job.steps.some(({ run = '' }) => run.includes(`\${{`)),
        'inserts an outside value into a script; pass it in env',
      ],
    ]
    return faults.flatMap(([isSo, what]) =>
      isSo ? [findingAt(file, source, source.indexOf(`\n  ${name}:`) + 1, `${name} ${what}`)] : [],
    )
  })
  return [
    ...uses,
    ...inJobs,
    ...(secret === -1 ? [] : [findingAt(file, source, secret, 'uses a secret; take a role by the token of the job')]),
    ...(Object.keys(permissions).length === 0
      ? []
      : [
          findingAt(file, source, source.indexOf('permissions:'), 'has rights for every job; give them to single jobs'),
        ]),
  ]
}

/** Checks the order of jobs, which protects a shop from a bad deployment. No single line of a workflow shows it. */
function order(tree: Tree): Finding[] {
  const { deploy, stage, previous } = deployment(tree)
  const ci = jobOf(readWorkflow(tree, ciFile), 'test')
  const { synth, test } = { synth: jobOf(deploy, 'synth'), test: jobOf(deploy, 'test') }
  const missing = ['check', 'synth', 'test:all', 'test:soak'].filter(
    (script) => !new RegExp(`^[^#\\n]*npm run ${script}(?![\\w:])`, 'm').test(tree.text('.ci/run')),
  )
  const needsOf = (name: string): string[] =>
    [jobOf(deploy, name).needs ?? []].flat().flatMap((one) => [one, ...needsOf(one)])
  const isTested = Object.keys(deploy.jobs).every((name) => name === 'test' || needsOf(name).includes('test'))
  const runs = stage.steps.map(({ run = '' }) => run)
  const cdk = runs.flatMap((run) => run.match(/npx cdk \w+(?! --app (?:cdk\.out|before) )\b/g) ?? [])
  const installs = runs.flatMap((run) => run.match(/npm (?:ci|install)(?! --ignore-scripts)\b/g) ?? [])
  const limits = stage.steps.map((one) => one['timeout-minutes'] ?? 0)
  const isLimited = stage.steps.every((one, at) => !/cdk|smoke/.test(one.run ?? '') || (limits[at] ?? 0) > 0)
  const whenFailed =
    "failure() && needs.previous.outputs.commit != '' && (steps.deploy.outcome == 'failure' || steps.smoke.outcome == 'failure')"
  const back = stage.steps.slice(-3)
  const described = previous.steps.at(-1)?.with?.name
  const isDescribed =
    stage.needs === 'previous' &&
    previous.steps.some((one) => one.with?.ref === given('steps.running.outputs.commit')) &&
    back.some((one) => one.with?.name === described && one.with?.path === 'before')
  const commits = [...synth.steps, ...previous.steps]
    .filter(({ run }) => run?.includes('npm run synth'))
    .map(({ env }) => env?.SLUICE_COMMIT)

  const rules: [isKept: boolean, file: string, needle: string, what: string][] = [
    [missing.length === 0, '.ci/run', 'npm', `leaves out ${missing.join(', ')}, so a broken commit could be deployed`],
    [ci.steps.at(-1)?.run === '.ci/run', ciFile, 'run:', 'does not run .ci/run, which has all checks and tests'],
    [test.uses === `./${ciFile}` && isTested, deployFile, '  test:', 'deploys without tests; every job waits for test'],
    ...['dev', ...reviewedStages].flatMap((name) => rulesOf(deploy, name)),
    [
      isDeepStrictEqual(commits, [given('github.sha'), given('steps.running.outputs.commit')]),
      ...([deployFile, 'npm run synth', 'describes without the commit; give each synth its SLUICE_COMMIT'] as const),
    ],
    [stage.environment === given('inputs.environment'), stageFile, '    environment:', 'has another environment'],
    [cdk.length === 0, stageFile, 'npx cdk', 'runs cdk without a description that was made before; add --app'],
    [!runs.some((run) => run.includes('synth')), stageFile, 'synth', 'describes the stage again, beside its role'],
    [installs.length === 0, stageFile, 'npm ci', 'runs scripts of packages beside a role; add --ignore-scripts'],
    // A job that takes too long is cancelled, and rolls nothing back.
    [
      isLimited && (stage['timeout-minutes'] ?? 0) > limits.reduce((sum, one) => sum + one),
      ...([stageFile, 'timeout-minutes', 'may be cancelled before its rollback; limit its steps, below it'] as const),
    ],
    [
      back.at(-1)?.name === 'Roll back' && back.every((step) => step.if === whenFailed),
      ...([stageFile, 'Roll back', `does not roll back when it must; end with steps if: ${whenFailed}`] as const),
    ],
    [isDescribed, stageFile, '  previous:', 'does not describe the commit that runs before it deploys'],
  ]
  return rules.flatMap(([isKept, file, needle, what]) =>
    isKept ? [] : [findingAt(file, tree.text(file), tree.text(file).indexOf(needle), what)],
  )
}

/** On which switch, with whose role, and after whose approval the stage is deployed. */
function rulesOf(deploy: Workflow, name: string): [isKept: boolean, file: string, needle: string, what: string][] {
  const shop = jobOf(deploy, name)
  const look = reviewedStages.includes(name) ? jobOf(deploy, `${name}-diff`) : undefined
  const condition = (look ?? shop).if ?? ''
  const isOn = condition.includes("github.ref == 'refs/heads/main' && vars.DEPLOY == 'on'") && !condition.includes('||')
  const isSeen =
    shop.needs === `${name}-diff` &&
    shop.if === given(`!failure() && !cancelled() && needs.${name}-diff.result == 'success'`)
  const isAs = (job: Job, environment: string, deploys: boolean) =>
    job.with?.stage === name && job.with.environment === environment && job.with.deploy === deploys
  const isTrusted = isAs(shop, name, true) && (look === undefined || isAs(look, `${name}-look`, false))
  const at = [deployFile, `  ${name}:`] as const
  return [
    [isOn, ...at, `deploys ${name} without the branch main and the switch DEPLOY`],
    [look === undefined || isSeen, ...at, `deploys ${name} though its reviewers have not seen the difference`],
    [isTrusted, ...at, `has another role or approval for ${name}; its environments are ${name} and ${name}-look`],
  ]
}

const asJson = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
asJson.deregister()

/**
 * GitHub's errors in a workflow, found by GitHub's own parser: keys, types, expressions and their contexts. The
 * library imports JSON without attributes, as bundlers allow; Node needs a hook for that. One line for each fault, with
 * its place.
 */
async function faultsIn(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

const permissions = z.record(z.string(), z.string())
const step = z.looseObject({
  name: z.optional(z.string()),
  id: z.optional(z.string()),
  env: z.optional(z.record(z.string(), z.string())),
  uses: z.optional(z.string()),
  run: z.optional(z.string()),
  'timeout-minutes': z.optional(z.number()),
  if: z.optional(z.string()),
  with: z.optional(z.record(z.string(), z.unknown())),
})
const job = z.looseObject({
  needs: z.optional(z.union([z.string(), z.array(z.string())])),
  if: z.optional(z.string()),
  uses: z.optional(z.string()),
  with: z.optional(z.record(z.string(), z.unknown())),
  'timeout-minutes': z.optional(z.number()),
  environment: z.optional(z.string()),
  permissions: z.optional(permissions),
  steps: z._default(z.array(step), []),
})
const workflow = z.looseObject({ permissions, jobs: z.record(z.string(), job) })

type Job = z.infer<typeof job>
/** The workflows as data: the parts of GitHub's format that we use. */
type Workflow = z.infer<typeof workflow>

const folder = '.github/workflows'

const workflowFiles = (tree: Tree): readonly string[] => tree.list(folder)

/** @throws when it is not a workflow of ours */
function readWorkflow(tree: Tree, file: string): Workflow {
  const found = parse(workflow, parseYaml(tree.text(file)))
  if (!found.ok) throw new Error(`${file}: ${found.detail}`)
  return found.value
}

/** @throws when the workflow has no such job */
function jobOf({ jobs }: Workflow, name: string): Job {
  const found = jobs[name]
  if (found === undefined) throw new Error(`there is no job ${name}`)
  return found
}

/** How a workflow writes an input. */
const given = (expression: string): string => `\${{ ${expression} }}`

/** The jobs and steps that bring a stage up to date. */
export function deployment(tree: Tree) {
  const stage = readWorkflow(tree, `${folder}/stage.yml`)
  return {
    deploy: readWorkflow(tree, `${folder}/deploy.yml`),
    stage: jobOf(stage, 'stage'),
    previous: jobOf(stage, 'previous'),
  }
}
