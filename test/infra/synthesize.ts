/**
 * A program that synthesizes every kind of stage and the deployer into the folder that is its argument, and describes
 * the stacks in `stages.json` there. Test files read that: to load the CDK takes longer than most of them. With a second
 * argument, `validated`, it also runs the validator of CloudFormation and cdk-nag, which take twice as long as all else,
 * and writes what they found into `checks.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, Stack, Stage, Validations } from 'aws-cdk-lib'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { CfnQueue } from 'aws-cdk-lib/aws-sqs'
import type { CloudAssembly, CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api'
import { dist } from '../../build.ts'
import { DeployerStack } from '../../infra/stacks/deployer.ts'
import { createCdkApp } from '../../infra/stage.ts'
import { grown, type StageKind, stages } from './stages.ts'

/** A stack as it is deployed. `warnings` are those of the synthesis. */
export type DescribedStack = {
  id: string
  stackName: string
  region: string
  dependencies: string[]
  warnings: string[]
  template: Template
}
export type Template = {
  Resources?: Record<string, Resource>
  Outputs?: Record<string, { Value: unknown }>
  Parameters?: Record<string, unknown>
}
export type Resource = {
  Type: string
  Properties: Record<string, unknown>
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  DependsOn?: string[]
}

/** Every stack of every kind of stage, by its last name. */
export type Described = Record<StageKind, Record<string, DescribedStack>>

/** The reasons for exceptions to the rules, and the errors that reject wrong settings. */
export type Checks = { reasons: unknown[]; refusals: { queue: string; bucket: string } }

const describedStack = (stack: CloudFormationStackArtifact): DescribedStack => ({
  id: stack.id,
  stackName: stack.stackName,
  region: stack.environment.region,
  dependencies: stack.dependencies.map(({ id }) => id),
  warnings: stack.messages.filter(({ level }) => level === 'warning').map(({ entry }) => String(entry.data)),
  template: stack.template,
})

/** The stacks of a stage by their last name. */
const describedStage = (assembly: CloudAssembly, name: string): Record<string, DescribedStack> =>
  Object.fromEntries(
    assembly
      .getNestedAssembly(`assembly-sluice-${name}`)
      .stacks.map((stack) => [stack.stackName.replace(`sluice-${name}-`, ''), describedStack(stack)]),
  )

const reasonsIn = (app: App): unknown[] =>
  app.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata.filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY).map(({ data }) => data),
    )

/** Returns the error that rejects a minimal stage with one wrong setting. */
function refusalOf(outdir: string, spoil: (stack: Stack) => void): string {
  const app = createCdkApp({ dist, stages: [], outdir })
  spoil(new Stack(new Stage(app, 'spoiled'), 'data'))
  try {
    app.synth()
  } catch {
    return readFileSync(join(outdir, 'validation-report.json'), 'utf8')
  }
  return 'nothing'
}

if (import.meta.main) {
  const [outdir = '', validated] = process.argv.slice(2)
  if (validated === undefined) process.env.CDK_VALIDATION = 'false'
  const app = createCdkApp({
    dist,
    stages: Object.values(stages),
    outdir,
    // Where a resource was made is of no use here.
    context: { 'aws:cdk:disable-stack-trace': true },
  })
  new DeployerStack(app, 'deployer', {
    repository: 'octo-org/sluice',
    stages: [stages.dev, stages.prod],
  })
  const assembly = app.synth()
  const later = createCdkApp({ dist, stages: [grown], outdir: `${outdir}-grown` }).synth()
  const described = [
    ...Object.keys(stages).map((kind) => [kind, describedStage(assembly, kind)]),
    ['grown', describedStage(later, grown.name)],
  ]
  if (validated !== undefined) {
    const checks: Checks = {
      reasons: reasonsIn(app),
      refusals: {
        queue: refusalOf(`${outdir}-queue`, (stack) => new CfnQueue(stack, 'Wrong', { delaySeconds: 5000 })),
        bucket: refusalOf(`${outdir}-bucket`, (stack) => new Bucket(stack, 'Open')),
      },
    }
    writeFileSync(join(outdir, 'checks.json'), JSON.stringify(checks))
  }
  writeFileSync(join(outdir, 'stages.json'), JSON.stringify(Object.fromEntries(described)))
}
