/** The described cloud for tests: every stack of a kind of stage as its template, and access to its parts. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { StageKind } from './stages.ts'
import type { Described, DescribedStack, Resource, Template } from './synthesize.ts'

export type { Resource } from './synthesize.ts'
export type JsonObject = Record<string, unknown>
export type StackName = 'data' | 'app' | 'edge' | 'access' | 'site' | 'watch'
export const stackNames: readonly StackName[] = ['data', 'app', 'edge', 'access', 'site', 'watch']

export type DescribedStage = {
  stack: (stack: StackName) => DescribedStack
  template: (stack: StackName) => Template
  /** Resources of a type by logical id. */
  resources: (stack: StackName, type: string) => Record<string, Resource>
}

/** The synthesis finds these in its environment, and no file may have them: secrets and settings of the machine. */
const planted = {
  ...{ AWS_SECRET_ACCESS_KEY: 'planted-1f0c', AWS_SESSION_TOKEN: 'planted-2b7e' },
  ...{ PAYMENT_API_KEY: 'planted-3d91', WEBHOOK_SECRET: 'planted-4a55' },
  ...{ PERSONAL_KEYS: 'planted-5c3d', SLUICE_TOKEN: 'planted-6e80' },
}

/** The folder with every kind of stage, synthesized once for all processes of a run. */
export const synthesized = (): string => synthesizedOnce('stages')

/** The folder with the findings of the validators. */
export const validated = (): string => synthesizedOnce('validated', ['validated'])

let stages: Described | undefined

/** A kind of stage with all its stacks; by default the one that sells. */
export function describeStage(kind: StageKind = 'prod'): DescribedStage {
  stages ??= JSON.parse(readFileSync(join(synthesized(), 'stages.json'), 'utf8')) as Described
  const stacks = stages[kind]
  const stack = (name: StackName) => {
    const found = stacks[name]
    if (found === undefined) throw new Error(`the stage ${kind} has no stack ${name}`)
    return found
  }
  const resources = (name: StackName, type: string) =>
    Object.fromEntries(Object.entries(stack(name).template.Resources ?? {}).filter(([, { Type }]) => Type === type))
  return { stack, template: (name) => stack(name).template, resources }
}

/** The folder, which the first process that asks for it has written. */
function synthesizedOnce(name: string, more: readonly string[] = []): string {
  const folder = join(inject('sharedFolder'), name)
  const done = join(folder, 'done')
  // Undefined when the folder exists: another process is writing it, or has done so.
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    while (!existsSync(done)) {
      if (!existsSync(folder)) return synthesizedOnce(name, more)
      pause(20)
    }
    return folder
  }
  try {
    const program = ['--import', './lua-hooks.ts', 'test/infra/synthesize.ts', folder, ...more]
    execFileSync(process.execPath, program, { stdio: 'pipe', env: { ...process.env, ...planted } })
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  writeFileSync(done, '')
  return folder
}

/** Synthesizes without the validation, which takes longer than all else; validation.test.ts is about that. */
export function unvalidated<T>(synthesize: () => T): T {
  process.env.CDK_VALIDATION = 'false'
  try {
    return synthesize()
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

/** The function of that name in a stage, if it has one. */
export function functionNamed(described: DescribedStage, name: string): Resource | undefined {
  const named = new RegExp(`^sluice-\\w+-${name}$`)
  const functions = Object.values(described.resources('app', 'AWS::Lambda::Function'))
  return functions.find(({ Properties }) => named.test(String(Properties.FunctionName)))
}

/** Returns the environment of a function. */
export function variablesOf(found: Resource | undefined): JsonObject {
  const { Environment } = (found?.Properties ?? {}) as { Environment?: { Variables: JsonObject } }
  if (Environment === undefined) throw new Error('there is no such function')
  return Environment.Variables
}

/** Every string in a value, at any depth. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)])
}

/** The policies of a retained resource: on deletion and replacement, but not when its creation fails. */
export const retained = ['RetainExceptOnCreate', 'Retain']

/** A list, also of a single value without brackets. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** The folder that is uploaded as the code of a function. */
export function assetOf({ Properties }: Resource): string {
  const { S3Key } = Properties.Code as { S3Key: string }
  return folderOf(S3Key)
}

/** The folder that is uploaded under a key. */
export const folderOf = (key: string): string => join(synthesized(), `asset.${key.replace(/\.zip$/, '')}`)
