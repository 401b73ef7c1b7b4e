/**
 * The described cloud for tests: every stack of a stage as its template, and access to its parts.
 */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { inject } from 'vitest'
import { dist } from '../../build.ts'
import { createApp } from '../../infra/create-app.ts'
import { prod } from '../../infra/settings/prod.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { SluiceStage } from '../../infra/stage.ts'

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
  stage: SluiceStage
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

const described = new Map<string, DescribedStage>()

/** A stage with all its stacks; by default the one that sells. Described once for all files of a process. */
export function describeStage(settings: StageSettings = prod): DescribedStage {
  const key = JSON.stringify(settings)
  const known = described.get(key) ?? describeAnew(settings)
  described.set(key, known)
  return known
}

function describeAnew(settings: StageSettings): DescribedStage {
  const app = createApp({ dist, stages: [], outdir: newOutdir() })
  const stage = new SluiceStage(app, { settings, dist })
  const templates = new Map<StackName, Template>()
  const template = (stack: StackName) => {
    const found = templates.get(stack) ?? unvalidated(() => Template.fromStack(stage[stack]))
    templates.set(stack, found)
    return found
  }
  return {
    stage,
    template,
    resources: (stack, type) => template(stack).findResources(type) as Record<string, Resource>,
  }
}

/** synth.test.ts has every kind of stage validated, which takes longer than all else of a synthesis. */
function unvalidated<T>(synthesize: () => T): T {
  process.env.CDK_VALIDATION = 'false'
  try {
    return synthesize()
  } finally {
    delete process.env.CDK_VALIDATION
  }
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
export function assetOf(stage: SluiceStage, { Properties }: Resource): string {
  const { S3Key } = Properties.Code as { S3Key: string }
  return folderOf(stage, S3Key)
}

/** The folder that is uploaded under a key. */
export function folderOf(stage: SluiceStage, key: string): string {
  return join(stage.outdir, '..', `asset.${key.replace(/\.zip$/, '')}`)
}
