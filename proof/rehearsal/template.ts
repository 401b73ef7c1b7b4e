/** Parses a CloudFormation template, orders its resources and evaluates its functions. */
import * as z from 'zod/mini'
import { AwsCliError } from '../../cli/aws-cli.ts'
import { readJson } from '../../core/lib/parse.ts'

const record = z._default(z.record(z.string(), z.unknown()), {})
const records = <T extends z.ZodMiniType>(item: T) => z._default(z.record(z.string(), item), {})
// Parts without a schema here, such as conditions, are rejected: our templates have none.
const definition = z.strictObject({
  ...{ Type: z.string(), Properties: record, Metadata: record, DependsOn: z._default(z.array(z.string()), []) },
  ...{ DeletionPolicy: z._default(z.string(), 'Delete'), UpdateReplacePolicy: z._default(z.string(), 'Delete') },
})
const template = z.strictObject({
  ...{ Resources: z.record(z.string(), definition), Description: z.optional(z.string()), Rules: record },
  Parameters: records(z.object({ Type: z.string(), Default: z.optional(z.string()) })),
  Outputs: records(z.object({ Value: z.unknown() })),
})

export type Template = z.infer<typeof template>
export type Definition = z.infer<typeof definition>

/** @throws AwsRefused */
export function readTemplate(text: string): Template {
  const found = readJson(template, text)
  if (!found.ok) throw new AwsCliError(`Template format error: ${found.detail}`)
  return found.value
}

/** Resolves references in the functions of a template. Both throw AwsRefused for a missing value. */
export type Scope = {
  /** Returns the value of `Ref` when there is no attribute. */
  refer: (name: string, attribute?: string) => string
  outputOf: (stack: string, region: string, output: string) => string
}

/** Evaluates a part of a template; references to secrets stay unresolved. @throws AwsRefused */
export function evaluate(part: unknown, scope: Scope): unknown {
  if (Array.isArray(part)) return part.map((item) => evaluate(item, scope))
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([key, value]) => [key, evaluate(value, scope)] as const)
  const [[name, argument] = ['', undefined]] = entries
  if (entries.length !== 1 || !(name === 'Ref' || name.startsWith('Fn::'))) return Object.fromEntries(entries)
  const run = functions[name]
  if (run === undefined) throw new AwsCliError(`Template error: ${name} is not in the rehearsal`)
  return run(argument as never, scope)
}

const variable = /\$\{([\w:]+)(?:\.([\w.]+))?\}/g

// The schema does not check arguments: a malformed one is a defect of the template and fails visibly.
const functions: Readonly<Record<string, (argument: never, scope: Scope) => unknown>> = {
  Ref: (name: string, scope) => scope.refer(name),
  'Fn::GetAtt': ([name, attribute]: [string, string], scope) => scope.refer(name, attribute),
  'Fn::Join': ([between, parts]: [string, unknown[]]) => parts.join(between),
  'Fn::Select': ([at, values]: [string, unknown[]]) => values[Number(at)],
  'Fn::Split': ([between, value]: [string, string]) => value.split(between),
  'Fn::Sub': (form: string, scope) =>
    form.replaceAll(variable, (_, name: string, attribute?: string) => scope.refer(name, attribute)),
  'Fn::GetStackOutput': ({ StackName = '', Region = '', OutputName = '' }: Record<string, string>, scope) =>
    scope.outputOf(StackName, Region, OutputName),
}

/** Yields the names that a part of a template references. */
function* namesIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part)) {
    if (key === 'Ref') yield value
    else if (key === 'Fn::GetAtt') yield value[0]
    else if (key === 'Fn::Sub') for (const [, name = ''] of value.matchAll(variable)) yield name
    else yield* namesIn(value)
  }
}

/** Returns the resources in creation order; ties follow the order of the template. @throws AwsRefused */
export function creationOrder({ Resources, Parameters, Outputs }: Template): [string, Definition][] {
  const check = (part: unknown, where: string): string[] =>
    [...namesIn(part)].filter((name) => {
      if (name in Resources || name in Parameters || name.startsWith('AWS::')) return name in Resources
      throw new AwsCliError(`Template format error: Unresolved resource dependencies [${name}] in ${where}`)
    })
  check(Outputs, 'the outputs')
  const waits = new Map(
    Object.entries(Resources).map(([id, { Properties, DependsOn }]) => {
      const named = DependsOn.map((Ref) => ({ Ref }))
      return [id, check([Properties, named], `the resource ${id}`)]
    }),
  )
  const order: [string, Definition][] = []
  while (waits.size > 0) {
    const ready = Object.entries(Resources).filter(([id]) => waits.get(id)?.every((name) => !waits.has(name)))
    if (ready.length === 0)
      throw new AwsCliError(`Circular dependency between resources: ${[...waits.keys()].join(', ')}`)
    order.push(...ready)
    for (const [id] of ready) waits.delete(id)
  }
  return order
}
