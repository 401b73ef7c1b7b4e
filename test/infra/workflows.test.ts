/** The workflows as GitHub reads them, and their scripts as bash runs them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { afterAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod/mini'
import { parse } from '../../core/parse.ts'
import { DeployerStack, lookEnvironment, subjectOf } from '../../infra/stacks/deployer.ts'
import { releaseFile } from '../../system/site-objects.ts'
import { describeStage, newOutdir } from './support.ts'
import { faultsIn } from './workflow-faults.ts'

const folder = fileURLToPath(new URL('../../.github/workflows/', import.meta.url))

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
  'runs-on': z.optional(z.string()),
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
type Workflow = z.infer<typeof workflow>

const sources = readdirSync(folder).map((file) => ({
  file,
  source: readFileSync(join(folder, file), 'utf8'),
}))

function read(file: string): Workflow {
  const found = parse(workflow, parseYaml(readFileSync(join(folder, file), 'utf8')))
  if (!found.ok) throw new Error(`${file}: ${found.detail}`)
  return found.value
}

function jobOf({ jobs }: Workflow, name: string): Job {
  const found = jobs[name]
  if (found === undefined) throw new Error(`there is no job ${name}`)
  return found
}

/** How a workflow writes an input. */
const given = (expression: string): string => `\${{ ${expression} }}`

const all = sources.map(({ file }) => ({ file, ...read(file) }))
const jobs = all.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([name, one]) => ({ where: `${file} ${name}`, ...one })),
)
const deploy = read('deploy.yml')
const { stage, previous } = {
  stage: jobOf(read('stage.yml'), 'stage'),
  previous: jobOf(read('stage.yml'), 'previous'),
}
const ci = read('ci.yml')

describe('every workflow', () => {
  it.each(sources)('is valid for GitHub: $file', async ({ file, source }) => {
    expect(await faultsIn(file, source)).toEqual([])
  })

  it('is checked by a parser that finds faults', async () => {
    const broken = [
      'on: push',
      'jobs:',
      '  a:',
      '    runs-on: ubuntu-24.04',
      '    steps:',
      '      - run: echo',
      '        wit: 1',
      `      - run: echo ${given('github.ref +')}`,
    ].join('\n')
    expect(await faultsIn('broken.yml', broken)).toEqual([
      expect.stringContaining("Unexpected value 'wit'"),
      expect.stringContaining("Unexpected symbol: '+'"),
    ])
  })

  it('uses actions by commit, with the version beside it', () => {
    const uses = sources.flatMap(({ source }) => source.match(/(?<=uses: ).*/g) ?? [])
    const foreign = uses.filter((used) => !used.startsWith('./'))
    expect(foreign.length).toBeGreaterThan(0)
    for (const used of foreign) expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    const commits = new Map(foreign.map((used) => [used.split('@')[0], used]))
    expect(new Set(foreign)).toEqual(new Set(commits.values()))
  })

  it('has no rights unless a job requests them, and only the right to write its own token', () => {
    for (const { file, permissions } of all) expect(permissions, file).toEqual({})
    for (const { where, permissions = {} } of jobs) {
      const { 'id-token': token, ...others } = permissions
      expect(others, where).toEqual({ contents: 'read' })
      expect([undefined, 'write'], where).toContain(token)
    }
  })

  it('gives the token to jobs of a stage alone', () => {
    const holders = jobs.filter(({ permissions }) => permissions?.['id-token'] !== undefined)
    expect(holders.map(({ where }) => where)).toEqual([
      'deploy.yml dev',
      'deploy.yml prod-diff',
      'deploy.yml prod',
      'stage.yml stage',
    ])
    for (const { where, uses } of holders.filter(({ uses }) => uses !== undefined)) {
      expect(uses, where).toBe('./.github/workflows/stage.yml')
    }
  })

  it('has a timeout', () => {
    for (const { where, uses, 'timeout-minutes': minutes } of jobs) {
      if (uses === undefined) expect(minutes, where).toBeGreaterThan(0)
    }
  })

  it('leaves no credentials in its checkout', () => {
    const checkouts = jobs
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts.length).toBeGreaterThan(0)
    for (const checkout of checkouts) expect(checkout.with?.['persist-credentials']).toBe(false)
  })

  it('inserts no outside value into a script', () => {
    for (const { where, steps } of jobs) {
      for (const { run = '' } of steps) expect(run, where).not.toContain('${{')
    }
  })

  it('uses no secret', () => {
    for (const { file, source } of sources)
      expect(source, file).not.toMatch(/\bsecrets\b|pull_request_target/)
  })
})

describe('CI', () => {
  it('runs for every push and pull request, for main as part of deploying', () => {
    expect(ci.on).toEqual({ push: { 'branches-ignore': ['main'] }, pull_request: null, workflow_call: null })
    expect(deploy.on).toMatchObject({ push: { branches: ['main'] }, workflow_dispatch: expect.anything() })
    expect(Object.keys(deploy.on)).toHaveLength(2)
    expect(jobOf(deploy, 'test').uses).toBe('./.github/workflows/ci.yml')
  })

  it('runs what a clean checkout must pass, and synthesizes every stage', () => {
    const { steps } = jobOf(ci, 'test')
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run'])
    expect(readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['npm run check', 'npm run synth', 'npm test']),
    )
  })
})

describe('deploying', () => {
  it('goes from tests over one description to dev, and over the difference and an approval to prod', () => {
    const needs = Object.entries(deploy.jobs).map(([name, { needs = [] }]) => [name, [needs].flat()])
    expect(Object.fromEntries(needs)).toEqual({
      test: [],
      synth: ['test'],
      dev: ['synth'],
      'prod-diff': ['dev'],
      prod: ['dev', 'prod-diff'],
    })
  })

  it('happens from main alone, once it is switched on', () => {
    expect(jobOf(deploy, 'dev').if).toBe("github.ref == 'refs/heads/main' && vars.DEPLOY == 'on'")
  })

  it('takes role and approval from the environment of the stage, and reads prod without one', () => {
    const inputs = (name: string) => jobOf(deploy, name).with
    const force = given('inputs.force == true')
    expect(inputs('dev')).toEqual({
      ...{ stage: 'dev', environment: 'dev', deploy: true, force },
      'shop-url': given('vars.SHOP_URL_DEV'),
    })
    expect(inputs('prod-diff')).toEqual({ stage: 'prod', environment: 'prod-look', deploy: false })
    expect(inputs('prod')).toEqual({
      ...{ stage: 'prod', environment: 'prod', deploy: true, force },
      'shop-url': given('vars.SHOP_URL_PROD'),
    })
    expect(stage.environment).toBe(given('inputs.environment'))
  })

  it('is trusted by the deployer’s roles, each environment by its own', () => {
    const repository = 'octo-org/sluice'
    const deployer = new DeployerStack(new App({ outdir: newOutdir() }), 'deployer', {
      repository,
      stages: ['dev', 'prod'],
      reviewed: ['prod'],
      regions: ['eu-central-1'],
    })
    const roles = JSON.stringify(Template.fromStack(deployer).findResources('AWS::IAM::Role'))
    const trusted = [...roles.matchAll(/"repo:[^"]*"/g)].map(([subject]) => subject.slice(1, -1))
    const environments = Object.values(deploy.jobs).flatMap((one) => one.with?.environment ?? [])
    expect(environments.map((environment) => subjectOf(repository, String(environment))).toSorted()).toEqual(
      trusted.toSorted(),
    )
    expect(environments).toContain(lookEnvironment('prod'))
  })

  it('never runs twice at once for a stage, and is never interrupted', () => {
    expect(stage.concurrency).toEqual({
      group: `stage-${given('inputs.environment')}`,
      'cancel-in-progress': false,
    })
    expect(deploy.concurrency).toBeUndefined()
  })

  it('deploys exactly the one description', () => {
    const artifacts = [...jobOf(deploy, 'synth').steps, ...stage.steps].filter(({ uses }) =>
      uses?.includes('load-artifact@'),
    )
    expect(artifacts.map((one) => [one.with?.name, one.with?.path])).toEqual([
      ['cdk.out', 'cdk.out'],
      ['cdk.out', 'cdk.out'],
      [`cdk.out-before-${given('inputs.environment')}`, 'before'],
    ])
    for (const { run = '' } of stage.steps) {
      expect(run.match(/npx cdk \w+/g) ?? []).toHaveLength(
        run.match(/npx cdk \w+ --app (?:cdk\.out|before) /g)?.length ?? 0,
      )
    }
    expect(JSON.stringify(stage.steps)).not.toContain('synth')
  })

  it('checks the commit once the pages are there, where nothing else could report it', () => {
    const { resources } = describeStage()
    const copies = Object.entries(resources('site', 'Custom::CDKBucketDeployment'))
    const [, release] = copies.find(([id]) => id.includes('Release')) ?? []
    expect(release?.DependsOn?.join()).toContain('ContentPages')
    expect(release?.Properties).toMatchObject({
      Prune: false,
      SystemMetadata: { 'cache-control': 'no-store' },
    })
    expect(releaseFile).toBe('release.json')
  })

  it('runs no script of a package where it holds a role', () => {
    const installs = stage.steps.flatMap(({ run = '' }) => run.match(/npm (?:ci|install).*/g) ?? [])
    expect(installs).toEqual(['npm ci --ignore-scripts --no-audit --no-fund'])
  })

  it('shows the difference, checks the sales, deploys, and tests the shop; and rolls back when that failed', () => {
    const last = stage.steps.slice(-6)
    const whenFailed =
      "failure() && needs.previous.outputs.commit != '' && (steps.deploy.outcome == 'failure' || steps.smoke.outcome == 'failure')"
    expect(last.map(({ name, id, if: condition }) => [name, id, condition])).toEqual([
      ['What would change', undefined, undefined],
      ['No sale is near', undefined, 'inputs.deploy'],
      ['Deploy', 'deploy', 'inputs.deploy'],
      ['Smoke test', 'smoke', 'inputs.deploy'],
      [undefined, undefined, whenFailed],
      ['Roll back', undefined, whenFailed],
    ])
  })

  it('has the rollback described before it changes anything, without a role', () => {
    expect(stage.needs).toBe('previous')
    expect(stage.if).toBe(given('!failure() && !cancelled()'))
    expect(previous.if).toBe('inputs.deploy')
    expect(previous.permissions).toEqual({ contents: 'read' })
    expect(previous.environment).toBeUndefined()
    const [running, ...others] = previous.steps
    expect(running?.name).toBe('Which commit runs')
    for (const step of others) expect(step.if).toBe("steps.running.outputs.commit != ''")
    const [checkout] = others
    expect(checkout?.with?.ref).toBe(given('steps.running.outputs.commit'))
    const uploaded = others.at(-1)?.with?.name
    const downloaded = stage.steps.map((step) => step.with?.name)
    expect(downloaded).toContain(uploaded)
  })

  it('names the commit in each description', () => {
    const synths = [...jobOf(deploy, 'synth').steps, ...previous.steps].filter(({ run }) =>
      run?.includes('npm run synth'),
    )
    expect(synths.map(({ env }) => env)).toEqual([
      { SLUICE_COMMIT: given('github.sha') },
      { SLUICE_COMMIT: given('steps.running.outputs.commit') },
    ])
  })

  it('may be forced by hand alone', () => {
    expect(deploy.on.workflow_dispatch).toMatchObject({
      inputs: { force: { type: 'boolean', default: false } },
    })
  })
})

describe('the scripts of a stage', () => {
  const place = mkdtempSync(join(tmpdir(), 'stage-'))
  afterAll(() => rmSync(place, { recursive: true }))

  /** Runs the step as GitHub does, with a fake for the program it calls. */
  function runStep(name: string, program: string, standIn: string, env: Record<string, string> = {}) {
    const script = [...previous.steps, ...stage.steps].find((one) => one.name === name)?.run ?? ''
    writeFileSync(join(place, 'output'), '')
    writeFileSync(join(place, program), `#!/bin/bash\n${standIn}\n`)
    chmodSync(join(place, program), 0o755)
    writeFileSync(join(place, 'summary'), '')
    const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      encoding: 'utf8',
      env: {
        PATH: `${place}:${process.env.PATH}`,
        STAGE: 'dev',
        RUNNER_TEMP: place,
        GITHUB_STEP_SUMMARY: join(place, 'summary'),
        GITHUB_OUTPUT: join(place, 'output'),
        ...env,
      },
    })
    const output = readFileSync(join(place, 'output'), 'utf8')
    return { status, stdout, output, summary: readFileSync(join(place, 'summary'), 'utf8') }
  }

  it('show the difference of the stage, even when it is empty', () => {
    const { status, stdout, summary } = runStep(
      'What would change',
      'npx',
      'echo "$@"; echo "no differences"',
    )
    const diff = 'cdk diff --app cdk.out --method template --no-color --ci sluice-dev/*\nno differences\n'
    expect(stdout).toBe(diff)
    expect(summary).toBe(`### What would change in dev\n~~~~\n${diff}~~~~\n`)
    expect(status).toBe(0)
  })

  it('fail when the diff fails, and show its output', () => {
    const { status, summary } = runStep('What would change', 'npx', 'echo "no credentials"; exit 3')
    expect(summary).toContain('no credentials\n~~~~\n')
    expect(status).toBe(3)
  })

  it('deploy the stage without asking again, and keep the outputs', () => {
    const { status, stdout } = runStep('Deploy', 'npx', 'echo "$@"')
    expect(stdout).toBe(
      `cdk deploy --app cdk.out --require-approval never --ci --progress events --outputs-file ${place}/outputs.json sluice-dev/*\n`,
    )
    expect(status).toBe(0)
  })

  it('show the output of the smoke test, and fail with it', () => {
    const { status, summary } = runStep('Smoke test', 'npm', 'echo "$@"; exit 1')
    expect(summary).toBe(
      `### Smoke test of dev\n~~~~\nrun --silent smoke -- --outputs ${place}/outputs.json\n~~~~\n`,
    )
    expect(status).toBe(1)
    expect(runStep('Smoke test', 'npm', 'echo "$@"').status).toBe(0)
  })

  it('find out which commit runs, and accept no other answer', () => {
    const commit = 'a'.repeat(40)
    const running = (answer: string) =>
      runStep('Which commit runs', 'curl', answer, { SHOP_URL: 'https://shop.example' })
    expect(running(`echo '{"commit":"${commit}"}'`).output).toBe(`commit=${commit}\n`)
    for (const answer of [
      `echo '{"commit":null}'`,
      `echo '{"commit":"main; rm -rf /"}'`,
      'echo "<html>"',
      'exit 22',
    ]) {
      const { status, output, stdout } = running(answer)
      expect([status, output]).toEqual([0, 'commit=\n'])
      expect(stdout).toContain('by hand')
    }
    expect(running('echo "$@" >&2; exit 22').status).toBe(0)
  })

  it('refuse to deploy while a sale is near, unless they are forced', () => {
    const check = (FORCE: string, standIn: string) =>
      runStep('No sale is near', 'npm', standIn, { SHOP_URL: 'https://shop.example', FORCE })
    const asked = 'run --silent deploy-check -- --stage dev --url https://shop.example'
    expect(check('false', 'echo "$@"').stdout).toBe(`${asked}\n`)
    expect(check('true', 'echo "$@"').stdout).toBe(`${asked} --force\n`)
    expect(check('false', 'exit 1').status).toBe(1)
  })

  it('roll back to the former description, and test the shop again', () => {
    const { status, stdout, summary } = runStep(
      'Roll back',
      'npx',
      '[[ $0 == *npm ]] || cp "$0" "$(dirname "$0")/npm"; echo "$@"',
      { COMMIT: 'abc' },
    )
    expect(status).toBe(0)
    expect(stdout).toContain(
      `cdk deploy --app before --require-approval never --ci --progress events --outputs-file ${place}/before.json sluice-dev/*\n`,
    )
    expect(summary).toBe(`### Back to abc in dev\nrun --silent smoke -- --outputs ${place}/before.json\n`)
    expect(runStep('Roll back', 'npx', 'exit 1', { COMMIT: 'abc' }).status).toBe(1)
  })
})
