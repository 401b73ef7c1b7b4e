/** The workflows as GitHub reads them: valid, with no more rights than they need, in the order that protects a shop. */
import { registerHooks } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod/mini'
import { parse } from '../core/lib/parse.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const deployFile = '.github/workflows/deploy.yml'
const stageFile = '.github/workflows/stage.yml'
const ciFile = '.github/workflows/ci.yml'

/** Stages whose difference a reviewer sees before they are deployed. */
const reviewed = ['small', 'prod']

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

/** What holds for each workflow and job; `actions` are the versions in use. */
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

/** The contents, time and approval of a deployment. */
function order(tree: Tree): Finding[] {
  const { deploy, stage, previous } = deployment(tree)
  const ci = readWorkflow(tree, ciFile)
  const found: Finding[] = []
  const same = (file: string, needle: string, what: string, actual: unknown, expected: unknown) => {
    if (isDeepStrictEqual(actual, expected)) return
    const text = `${what}: ${JSON.stringify(actual)}; write ${JSON.stringify(expected)}`
    found.push(findingAt(file, tree.text(file), tree.text(file).indexOf(needle), text))
  }
  const runs = ({ steps }: typeof stage) => steps.map(({ run = '' }) => run)

  same(ciFile, 'on:', 'CI runs for every push and pull request', ci.on, {
    ...{ push: { 'branches-ignore': ['main'] }, pull_request: null, workflow_call: null },
  })
  same(ciFile, 'run:', 'CI runs', runs(jobOf(ci, 'test')).filter(Boolean), ['.ci/run'])
  const missing = ['check', 'synth', 'test:all', 'test:soak'].filter(
    (script) => !new RegExp(`^[^#\\n]*npm run ${script}(?![\\w:])`, 'm').test(tree.text('.ci/run')),
  )
  same('.ci/run', 'npm', 'a clean checkout need not pass', missing, [])

  same(deployFile, 'on:', 'deploying starts', deploy.on, {
    push: { branches: ['main'] },
    workflow_dispatch: {
      inputs: {
        force: {
          description: 'deploy though a sale is open or starts within the hour',
          ...{ type: 'boolean', default: false },
        },
        'later-index': {
          description: 'index of the table that this deployment leaves out',
          ...{ type: 'string', default: '' },
        },
      },
    },
  })
  same(deployFile, 'uses:', 'the tests of a deployment', jobOf(deploy, 'test').uses, './.github/workflows/ci.yml')
  const needs = Object.entries(deploy.jobs).map(([name, { needs = [] }]) => [name, [needs].flat()])
  same(deployFile, 'needs:', 'jobs wait for', Object.fromEntries(needs), {
    ...{ test: [], synth: ['test'], dev: ['synth'] },
    ...Object.fromEntries(
      reviewed.flatMap((name) => [
        [`${name}-diff`, ['synth', 'dev']],
        [name, [`${name}-diff`]],
      ]),
    ),
  })
  const isOn = (name: string) =>
    `github.ref == 'refs/heads/main' && vars.DEPLOY == 'on' && vars.SHOP_URL_${name.toUpperCase()} != ''`
  const conditions = Object.entries(deploy.jobs).flatMap(([name, job]) =>
    job.if === undefined ? [] : [[name, job.if]],
  )
  same(deployFile, '  dev:', 'deploying is switched on', Object.fromEntries(conditions), {
    dev: isOn('dev'),
    ...Object.fromEntries(
      reviewed.flatMap((name) => [
        [`${name}-diff`, given(`!failure() && !cancelled() && ${isOn(name)}`)],
        [name, given(`!failure() && !cancelled() && needs.${name}-diff.result == 'success'`)],
      ]),
    ),
  })
  same(deployFile, 'concurrency:', 'all deployments wait for each other', deploy.concurrency, undefined)
  const shop = (name: string) => ({
    ...{ stage: name, environment: name, deploy: true, force: given('inputs.force == true') },
    'shop-url': given(`vars.SHOP_URL_${name.toUpperCase()}`),
  })
  const looks = reviewed.map((name) => [`${name}-diff`, { stage: name, environment: `${name}-look`, deploy: false }])
  for (const [name, expected] of Object.entries({
    ...Object.fromEntries(looks),
    ...Object.fromEntries(['dev', ...reviewed].map((name) => [name, shop(name)])),
  }))
    same(deployFile, `  ${name}:`, `role and approval of ${name}`, jobOf(deploy, name).with, expected)

  same(stageFile, 'environment:', 'the environment', stage.environment, given('inputs.environment'))
  same(stageFile, 'concurrency:', 'a stage is deployed alone, to its end', stage.concurrency, {
    group: `stage-${given('inputs.environment')}`,
    'cancel-in-progress': false,
  })
  const artifacts = [...jobOf(deploy, 'synth').steps, ...stage.steps]
    .filter(({ uses }) => uses?.includes('load-artifact@'))
    .map((one) => [one.with?.name, one.with?.path])
  const before = `cdk.out-before-${given('inputs.environment')}`
  same(stageFile, 'load-artifact', 'one description is deployed', artifacts, [
    ...[
      ['cdk.out', 'cdk.out'],
      ['cdk.out', 'cdk.out'],
    ],
    [before, 'before'],
  ])
  const loose = runs(stage).flatMap((run) => run.match(/npx cdk \w+(?! --app (?:cdk\.out|before) )\b.*/g) ?? [])
  same(stageFile, 'npx cdk', 'cdk runs without the description', loose, [])
  same(stageFile, 'synth', 'describes the stage again', JSON.stringify(stage.steps).includes('synth'), false)
  const installs = runs(stage).flatMap((run) => run.match(/npm (?:ci|install).*/g) ?? [])
  same(stageFile, 'npm ci', 'scripts of packages run where there is a role', installs, [
    'npm ci --ignore-scripts --no-audit --no-fund',
  ])
  const whenFailed =
    "failure() && needs.previous.outputs.commit != '' && (steps.deploy.outcome == 'failure' || steps.smoke.outcome == 'failure')"
  const timeout = 'timeout-minutes'
  const last = stage.steps.slice(-8).map((step) => [step.name, step.id, step.if, step[timeout]])
  same(stageFile, 'What was changed', 'shows, checks, deploys, tests and rolls back', last, [
    ['What was changed by hand', undefined, undefined, 10],
    ['What would change', undefined, undefined, 10],
    ['No sale is near', undefined, 'inputs.deploy', undefined],
    ['Deploy', 'deploy', 'inputs.deploy', 40],
    ['Smoke test', 'smoke', 'inputs.deploy', 5],
    [undefined, undefined, whenFailed, undefined],
    [undefined, undefined, whenFailed, undefined],
    ['Roll back', undefined, whenFailed, 45],
  ])
  // A job that takes too long is cancelled, and rolls nothing back.
  same(stageFile, timeout, 'its steps end before it', (stage[timeout] ?? 0) >= 120, true)

  const [running, ...others] = previous.steps
  same(
    ...([stageFile, '  previous:', 'the rollback is described first, without a role'] as const),
    {
      ...{ needs: stage.needs, if: stage.if, when: previous.if, rights: previous.permissions },
      ...{ environment: previous.environment, first: running?.name, ref: others[0]?.with?.ref },
      conditions: [...new Set(others.map((step) => step.if))],
      isDownloaded: stage.steps.some((step) => step.with?.name === others.at(-1)?.with?.name),
    },
    {
      ...{ needs: 'previous', if: given('!failure() && !cancelled()'), when: 'inputs.deploy' },
      ...{ rights: { contents: 'read' }, environment: undefined, first: 'Which commit runs' },
      ref: given('steps.running.outputs.commit'),
      conditions: ["steps.running.outputs.commit != ''"],
      isDownloaded: true,
    },
  )
  const synths = [...jobOf(deploy, 'synth').steps, ...previous.steps]
    .filter(({ run }) => run?.includes('npm run synth'))
    .map(({ env }) => env)
  same(deployFile, 'npm run synth', 'each description names its commit', synths, [
    { SLUICE_COMMIT: given('github.sha'), LATER_INDEX: given('inputs.later-index') },
    { SLUICE_COMMIT: given('steps.running.outputs.commit') },
  ])
  return found
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
