/** The workflows against the roles and pages that they deploy, and their scripts as bash runs them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository as tree } from '../../checks/tree.ts'
import { deployment } from '../../checks/workflows.ts'
import { releaseFile } from '../../system/site-objects.ts'
import { newFolder } from '../folders.ts'
import { describeStage } from './support.ts'

const { deploy, stage, previous } = deployment(tree)
const { synth = { steps: [] } } = deploy.jobs

it('deploying checks the commit once the pages are there, where nothing else could report it', () => {
  const { resources } = describeStage()
  const copies = Object.entries(resources('site', 'Custom::CDKBucketDeployment'))
  const [, release] = copies.find(([id]) => id.includes('Release')) ?? []
  expect(release?.DependsOn?.join()).toContain('ContentPages')
  expect(release?.Properties).toMatchObject({ Prune: false, SystemMetadata: { 'cache-control': 'no-store' } })
  expect(releaseFile).toBe('release.json')
})

describe('the scripts of a stage', () => {
  const place = newFolder('stage')

  function fake(program: string, standIn: string): void {
    writeFileSync(join(place, program), `#!/bin/bash\n${standIn}\n`)
    chmodSync(join(place, program), 0o755)
  }

  /** Runs the step as GitHub does, with a fake for the program it calls. */
  function runStep(name: string, program: string, standIn: string, env: Record<string, string> = {}) {
    const script = [...previous.steps, ...stage.steps].find((one) => one.name === name)?.run ?? ''
    writeFileSync(join(place, 'output'), '')
    fake(program, standIn)
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
    const { status, stdout, summary } = runStep('What would change', 'npx', 'echo "$@"; echo "no differences"')
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
    expect(summary).toBe(`### Smoke test of dev\n~~~~\nrun --silent smoke -- --outputs ${place}/outputs.json\n~~~~\n`)
    expect(status).toBe(1)
    expect(runStep('Smoke test', 'npm', 'echo "$@"').status).toBe(0)
  })

  it('find out which commit runs, and accept no other answer', () => {
    const commit = 'a'.repeat(40)
    const running = (answer: string) =>
      runStep('Which commit runs', 'curl', answer, { SHOP_URL: 'https://shop.example' })
    expect(running(`echo '{"commit":"${commit}"}'`).output).toBe(`commit=${commit}\n`)
    for (const answer of [`echo '{"commit":null}'`, `echo '{"commit":"main; rm -rf /"}'`, 'echo "<html>"', 'exit 22']) {
      const { status, output, stdout } = running(answer)
      expect([status, output]).toEqual([0, 'commit=\n'])
      expect(stdout).toContain('by hand')
    }
    expect(running('echo "$@" >&2; exit 22').status).toBe(0)
  })

  it('refuse to deploy while a sale is near, unless they are forced', () => {
    const check = (FORCE: string, standIn: string) =>
      runStep('No sale is near', 'npm', standIn, { SHOP_URL: 'https://shop.example', FORCE })
    const asked = 'run --silent deploy -- --check --stage dev --url https://shop.example'
    expect(check('false', 'echo "$@"').stdout).toBe(`${asked}\n`)
    expect(check('true', 'echo "$@"').stdout).toBe(`${asked} --force\n`)
    expect(check('false', 'exit 1').status).toBe(1)
  })

  it('show what was changed by hand with the role of looking, and go on where it cannot be read', () => {
    fake('aws', `[[ $2 == assume-role ]] && printf 'key\\tsecret\\t%s\\n' "$4" || echo 123456789012`)
    const drift = (standIn: string) =>
      runStep('What was changed by hand', 'npx', standIn, { AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 'of the job' })
    const asked = 'cdk drift --app cdk.out --no-color --ci sluice-dev/*'
    const role = 'arn:aws:iam::123456789012:role/cdk-hnb659fds-lookup-role-123456789012-eu-west-1'
    const unread = drift('exit 1')
    expect([unread.status, unread.summary]).toEqual([0, expect.stringContaining('The drift cannot be read.')])
    const { status, summary } = drift('echo "$AWS_SESSION_TOKEN"; echo "$@"')
    expect(summary).toBe(`### What was changed by hand in dev\n~~~~\n${role}\n${asked}\n~~~~\n`)
    expect(status).toBe(0)
  })

  it('roll back all stacks but the data, retry while CloudFormation is busy, and test the shop again', () => {
    const rollBack = (deploying: string) =>
      runStep(
        'Roll back',
        'npx',
        `[[ $0 == *npm ]] || cp "$0" "$(dirname "$0")/npm"
if [[ $2 == list ]]; then printf '%s\\n' 'sluice-dev/data (sluice-dev-data)' 'sluice-dev/app (sluice-dev-app)' sluice-dev/edge; exit; fi
if [[ $1 == cdk ]]; then echo busy >> "$RUNNER_TEMP/tries"; ${deploying}; fi
echo "$@"`,
        { COMMIT: 'abc', PAUSE: '0' },
      )
    const busyOnce = '[[ $(wc -l < "$RUNNER_TEMP/tries") -gt 1 ]] || exit 1'
    const { status, stdout, summary } = rollBack(busyOnce)
    expect(status).toBe(0)
    expect(stdout).toContain(
      `cdk deploy --app before --require-approval never --ci --progress events --exclusively --outputs-file ${place}/before.json sluice-dev/app sluice-dev/edge\n`,
    )
    expect(summary).toBe(`### Back to abc in dev\nrun --silent smoke -- --outputs ${place}/before.json\n`)
    expect(rollBack('exit 1').status).toBe(1)
    expect(runStep('Roll back', 'npx', 'exit 1', { COMMIT: 'abc', PAUSE: '0' }).stdout, 'without a list').toBe('')
  })

  it('leave out the index that is given, and none otherwise', () => {
    const { run = '' } = synth.steps.find((one) => one.run?.startsWith('npm run synth')) ?? {}
    const synthWith = (index: string) =>
      spawnSync('bash', ['-c', `npm() { printf '[%s]' "$@"; }; ${run}`], {
        encoding: 'utf8',
        env: { ...process.env, LATER_INDEX: index },
      }).stdout
    expect(synthWith('')).toBe('[run][synth][--]')
    expect(synthWith('number; date')).toBe('[run][synth][--][--context][later-index=number; date]')
  })
})
