/**
 * The described cloud for tests: every stack of a stage as its template, and access to its parts.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { CloudAssembly, type CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api'
import { inject } from 'vitest'
import { dist } from '../../build.ts'
import { createApp } from '../../infra/create-app.ts'
import { prod } from '../../infra/settings/prod.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'

export type StackName = 'data' | 'app' | 'edge' | 'access' | 'site'
export const stackNames: readonly StackName[] = ['data', 'app', 'edge', 'access', 'site']

/** `json` is a template as it is deployed. */
export type JsonObject = Record<string, unknown>
export type Resource = {
  Type: string
  Properties: JsonObject
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  DependsOn?: string[]
}

export type DescribedStage = {
  /** The folder of the synthesized stage. */
  outdir: string
  stack: (stack: StackName) => CloudFormationStackArtifact
  template: (stack: StackName) => Template
  /** Resources of a type by logical id. */
  resources: (stack: StackName, type: string) => Record<string, Resource>
}

/** A stage with a domain of its own. */
export const withDomain: StageSettings = {
  ...prod,
  domain: {
    name: 'shop.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
    hostedZone: { id: 'Z1', name: 'example.com' },
  },
}

/** A folder for synthesized files, which holds every asset. */
export const newOutdir = (): string => mkdtempSync(join(inject('sharedFolder'), 'synth-'))

/** Where a resource was made is of no use here. */
const withoutTraces = { 'aws:cdk:disable-stack-trace': true }

const described = new Map<string, DescribedStage>()

/**
 * A stage with all its stacks; by default the one that sells. Synthesized once for all processes of a run.
 * @throws Error when the settings are refused
 */
export function describeStage(settings: StageSettings = prod): DescribedStage {
  const key = JSON.stringify(settings)
  const known = described.get(key) ?? readStage(synthesizedOnce(settings, key), settings)
  described.set(key, known)
  return known
}

function readStage(outdir: string, { name }: StageSettings): DescribedStage {
  const assembly = new CloudAssembly(outdir)
  const templates = new Map<StackName, Template>()
  const stack = (stack: StackName) => assembly.getStackByName(`sluice-${name}-${stack}`)
  const template = (name: StackName) => {
    const found = templates.get(name) ?? Template.fromJSON(stack(name).template)
    templates.set(name, found)
    return found
  }
  return {
    outdir,
    stack,
    template,
    resources: (stack, type) => template(stack).findResources(type) as Record<string, Resource>,
  }
}

/** The folder of the stage, which the first process that asks for it writes. */
function synthesizedOnce(settings: StageSettings, key: string): string {
  const folder = join(inject('sharedFolder'), `stage-${createHash('sha256').update(key).digest('hex')}`)
  const outdir = join(folder, `assembly-sluice-${settings.name}`)
  const done = join(folder, 'done')
  // Undefined where it is there: another process is at it, or has done it.
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    while (!existsSync(done)) {
      if (!existsSync(folder)) return synthesizedOnce(settings, key)
      pause(20)
    }
    return outdir
  }
  try {
    synthesize(settings, folder)
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  writeFileSync(done, '')
  return outdir
}

/** synth.test.ts has every kind of stage validated, which takes longer than all else of a synthesis. */
function synthesize(settings: StageSettings, outdir: string): void {
  const app = createApp({ dist, stages: [settings], outdir, context: withoutTraces })
  process.env.CDK_VALIDATION = 'false'
  try {
    app.synth()
  } finally {
    delete process.env.CDK_VALIDATION
  }
}

/** Stops this process for as many milliseconds. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/**
 * The one resource of a type.
 * @throws when there are more, or none
 */
export function only(resources: Record<string, Resource>): Resource {
  const [first, ...more] = Object.values(resources)
  if (first === undefined || more.length > 0) throw new Error('there is not exactly one')
  return first
}

/** Every string in a value, at any depth. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)])
}

/**
 * The policies of a retained resource: on deletion and replacement, but not when its creation
 * fails.
 */
export const retained = ['RetainExceptOnCreate', 'Retain']

/** A list, also of a single value without brackets. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** The folder that is uploaded as the code of a function. */
export function assetOf(stage: DescribedStage, { Properties }: Resource): string {
  const { S3Key } = Properties.Code as { S3Key: string }
  return folderOf(stage, S3Key)
}

/** The folder that is uploaded under a key. */
export function folderOf(stage: DescribedStage, key: string): string {
  return join(stage.outdir, '..', `asset.${key.replace(/\.zip$/, '')}`)
}
