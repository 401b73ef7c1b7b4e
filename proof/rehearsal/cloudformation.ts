/**
 * Emulates the part of CloudFormation that `cdk deploy` uses. A change set is executed at once, in the order of its
 * template. State is stored in the format of AWS's answers.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { AwsCliError } from '../../cli/aws-cli.ts'
import { parse } from '../../core/lib/parse.ts'
import { accountId, type CreatedResource, isEqualJson, RehearsedAccount } from './account.ts'
import { creationOrder, type Definition, evaluate, readTemplate, type Scope, type Template } from './template.ts'

const text = z._default(z.string(), '')
const parameter = z.object({ ParameterKey: z.string(), ParameterValue: z.optional(z.string()), UsePreviousValue: text })
const request = z.object({
  ...{ StackName: text, ChangeSetType: text, TemplateURL: text, EnableTerminationProtection: text },
  Parameters: z._default(z.array(parameter), []),
  Tags: z._default(z.array(z.object({ Key: z.string(), Value: z.string() })), []),
})
type Asked = z.infer<typeof request>
type Parameter = { ParameterKey: string; ParameterValue: string; ResolvedValue?: string }
type ChangeSet = { template: Template; text: string; Parameters: Parameter[]; Tags: Asked['Tags']; facts: object }

/** `definition` has evaluated properties: an update compares them. */
type Kept = { made: CreatedResource; definition: Definition; isFailed: boolean }

const newStack = (StackName: string, region: string) => ({
  facts: {
    ...{ StackName, StackId: `arn:aws:cloudformation:${region}:${accountId}:stack/${StackName}/${randomUUID()}` },
    ...{ StackStatus: 'REVIEW_IN_PROGRESS', StackStatusReason: '', EnableTerminationProtection: false },
    ...{ Parameters: [] as Parameter[], Tags: [] as Asked['Tags'], CreationTime: new Date().toISOString() },
    Outputs: [] as { OutputKey: string; OutputValue: string }[],
  },
  ...{
    region,
    text: '{}',
    events: [] as { ResourceType: string; ResourceStatus: string }[],
    resources: new Map<string, Kept>(),
  },
  changeSet: undefined as ChangeSet | undefined,
})
type Stack = ReturnType<typeof newStack>

export class CloudFormation {
  readonly account = new RehearsedAccount()
  readonly stacks = new Map<string, Stack>()

  /** Finds a stack by name or ARN. @throws AwsCliError */
  stack(region: string, name: string): Stack {
    const found = this.stacks.get(`${region} ${name.startsWith('arn:') ? name.split('/')[1] : name}`)
    if (found === undefined) throw new AwsCliError(`Stack with id ${name} does not exist`)
    return found
  }

  /** @throws AwsCliError */
  answer(action: string, region: string, input: unknown): object {
    const asked = parse(request, input)
    if (!asked.ok) throw new AwsCliError(asked.detail)
    if (action === 'CreateChangeSet') return this.#createChangeSet(asked.value, region)
    const run = this.#actions[action]
    if (run === undefined) throw new AwsCliError(`${action} is not in the rehearsal`)
    return run(this.stack(region, asked.value.StackName), asked.value)
  }

  readonly #actions: Readonly<Record<string, (stack: Stack, asked: Asked) => object>> = {
    DescribeStacks: ({ facts }) => ({ Stacks: [facts] }),
    DescribeStackEvents: ({ events }) => ({ StackEvents: events }),
    GetTemplate: ({ text: TemplateBody }) => ({ TemplateBody }),
    DescribeChangeSet: (stack) => changeSetOf(stack).facts,
    DeleteChangeSet: (stack) => Object.assign(stack, { changeSet: undefined }) && {},
    ExecuteChangeSet: (stack) => this.#execute(stack, changeSetOf(stack)),
    UpdateTerminationProtection: ({ facts }, { EnableTerminationProtection }) =>
      Object.assign(facts, { EnableTerminationProtection: EnableTerminationProtection === 'true' }),
    DeleteStack: ({ facts }) => {
      throw new AwsCliError(
        facts.EnableTerminationProtection ? 'TerminationProtection is enabled' : 'not in the rehearsal',
      )
    },
  }

  #createChangeSet(asked: Asked, region: string): object {
    const { StackName, Tags } = asked
    const stack = this.stacks.get(`${region} ${StackName}`) ?? newStack(StackName, region)
    const { StackId, StackStatus, Outputs } = stack.facts
    if ((asked.ChangeSetType === 'CREATE') !== (StackStatus === 'REVIEW_IN_PROGRESS'))
      throw new AwsCliError(`Stack:${StackId} is in ${StackStatus} state and cannot be changed so.`)
    const source = Buffer.from(this.account.object(new URL(asked.TemplateURL).pathname.slice(1))).toString('utf8')
    const template = readTemplate(source)
    const Parameters = this.#parametersOf(template, stack, asked.Parameters)
    const { Changes, outputs } = this.#walk(stack, { template, Parameters }, true)
    const isEmpty = Changes.length === 0 && isEqualJson([outputs, Tags], [Outputs, stack.facts.Tags])
    const Id = `arn:aws:cloudformation:${region}:${accountId}:changeSet/cdk/${randomUUID()}`
    const state = isEmpty
      ? { Status: 'FAILED', StatusReason: "The submitted information didn't contain changes." }
      : { Status: 'CREATE_COMPLETE', ExecutionStatus: 'AVAILABLE' }
    const facts = { ChangeSetId: Id, StackId, StackName, CreationTime: new Date().toISOString(), Parameters, Changes }
    stack.changeSet = { template, text: source, Parameters, Tags, facts: { ...facts, ...state } }
    this.stacks.set(`${region} ${StackName}`, stack)
    return { Id, StackId }
  }

  /**
   * Executes a change set. Resources created before a failure stay, and the next change set continues from there: there
   * is no rollback.
   */
  #execute(stack: Stack, { template, text: source, Parameters, Tags }: ChangeSet): object {
    const verb = stack.facts.StackStatus === 'REVIEW_IN_PROGRESS' ? 'CREATE' : 'UPDATE'
    Object.assign(stack, { text: source, changeSet: undefined })
    Object.assign(stack.facts, { Parameters, Tags })
    this.#become(stack, `${verb}_IN_PROGRESS`)
    try {
      const { outputs, obsolete } = this.#walk(stack, { template, Parameters }, false)
      for (const [logicalId, made, policy] of obsolete.reverse()) {
        if (policy.startsWith('Retain')) continue
        this.account.delete(made)
        this.#event(stack, logicalId, made, 'DELETE_COMPLETE')
      }
      stack.facts.Outputs = outputs
      this.#become(stack, `${verb}_COMPLETE`)
    } catch (error) {
      if (!(error instanceof AwsCliError)) throw error
      this.#become(stack, `${verb}_FAILED`, error.message)
    }
    return {}
  }

  /** Resolves parameters; they keep their values unless the request sets others. */
  #parametersOf(template: Template, { facts, region }: Stack, given: Asked['Parameters']): Parameter[] {
    return Object.entries(template.Parameters).map(([ParameterKey, { Type, Default }]) => {
      const isOwn = (one: { ParameterKey: string }) => one.ParameterKey === ParameterKey
      const asked = given.find(isOwn)
      const former = facts.Parameters.find(isOwn)?.ParameterValue
      const value = asked?.UsePreviousValue === 'true' ? former : (asked?.ParameterValue ?? Default)
      if (value === undefined) throw new AwsCliError(`Parameters: [${ParameterKey}] must have values`)
      if (!Type.startsWith('AWS::SSM::')) return { ParameterKey, ParameterValue: value }
      const ResolvedValue = this.account.parameters.get(`${region} ${value}`)
      if (ResolvedValue === undefined)
        throw new AwsCliError(`Unable to fetch parameters [${value}] from parameter store`)
      return { ParameterKey, ParameterValue: value, ResolvedValue }
    })
  }

  /** Walks through a template in creation order; a plan changes nothing. @throws AwsCliError */
  #walk(stack: Stack, { template, Parameters }: Pick<ChangeSet, 'template' | 'Parameters'>, isPlan: boolean) {
    const resources = isPlan ? new Map(stack.resources) : stack.resources
    const scope = this.#scope(stack, Parameters, resources)
    const Changes: object[] = []
    const obsolete: [logicalId: string, made: CreatedResource, policy: string][] = []
    const removed = new Map(resources)
    for (const [logicalId, source] of creationOrder(template)) {
      removed.delete(logicalId)
      const properties = evaluate(source.Properties, scope) as Definition['Properties']
      const definition = { ...source, Properties: properties }
      const { Type: type } = source
      const former = resources.get(logicalId)
      const before = former?.isFailed === true ? undefined : former
      if (isEqualJson(before?.definition, definition)) continue
      const isReplaced = before !== undefined && this.account.isReplacedBy(before.made, type, properties)
      const verb = before === undefined ? 'CREATE' : 'UPDATE'
      const PolicyAction = isReplaced ? 'ReplaceAndDelete' : ''
      Changes.push({ ResourceChange: { LogicalResourceId: logicalId, PolicyAction } })
      const place = { region: stack.region, stack: stack.facts.StackName, logicalId }
      const old = isReplaced ? undefined : before?.made
      if (isPlan) {
        const made = old ?? this.account.identify(type, properties, place)
        resources.set(logicalId, { made, definition, isFailed: false })
        continue
      }
      try {
        if (former?.isFailed === true) this.account.delete(former.made)
        const made = old ? this.account.update(old, properties) : this.account.create(type, properties, place)
        if (isReplaced) obsolete.push([logicalId, before.made, before.definition.UpdateReplacePolicy])
        const isFailed = isEqualJson(this.account.fault, { stack: place.stack, type })
        resources.set(logicalId, { made, definition, isFailed })
        if (isFailed) {
          this.account.fault = undefined
          throw new AwsCliError(`${type} did not become stable: the failure that this rehearsal causes`)
        }
        this.#event(stack, logicalId, made, `${verb}_COMPLETE`)
      } catch (error) {
        this.#event(stack, logicalId, { ref: '', type }, `${verb}_FAILED`, error instanceof Error ? error.message : '')
        throw error
      }
    }
    for (const [logicalId, { made, definition }] of removed) {
      Changes.push({ ResourceChange: { LogicalResourceId: logicalId } })
      obsolete.push([logicalId, made, definition.DeletionPolicy])
      resources.delete(logicalId)
    }
    const outputs = Object.entries(template.Outputs).map(([OutputKey, { Value }]) => {
      return { OutputKey, OutputValue: String(evaluate(Value, scope)) }
    })
    return { Changes, obsolete, outputs }
  }

  #scope({ region }: Stack, parameters: Parameter[], resources: Stack['resources']): Scope {
    const own = { AccountId: accountId, Partition: 'aws', Region: region, URLSuffix: 'amazonaws.com' }
    const known = new Map([
      ...Object.entries(own).map(([name, value]) => [`AWS::${name}`, value] as const),
      ...parameters.map((one) => [one.ParameterKey, one.ResolvedValue ?? one.ParameterValue] as const),
    ])
    return {
      refer: (name, attribute) => {
        const made = resources.get(name)?.made
        const value = attribute === undefined ? (known.get(name) ?? made?.ref) : made?.attributes[attribute]
        if (value === undefined) throw new AwsCliError(`Template error: ${name} has no ${attribute ?? 'value'}`)
        return value
      },
      outputOf: (stack, from, output) => {
        const found = this.stack(from, stack).facts.Outputs.find(({ OutputKey }) => OutputKey === output)
        if (found === undefined) throw new AwsCliError(`Stack ${stack} in ${from} has no output ${output}`)
        return found.OutputValue
      },
    }
  }

  #become(stack: Stack, StackStatus: string, StackStatusReason = ''): void {
    const { StackName, StackId: ref } = Object.assign(stack.facts, { StackStatus, StackStatusReason })
    this.#event(stack, StackName, { ref, type: 'AWS::CloudFormation::Stack' }, StackStatus, StackStatusReason)
  }

  #event(
    { facts, events }: Stack,
    logicalId: string,
    made: Pick<CreatedResource, 'ref' | 'type'>,
    status: string,
    reason = '',
  ) {
    events.unshift({
      ...{ EventId: String(events.length), StackId: facts.StackId, StackName: facts.StackName },
      ...{ LogicalResourceId: logicalId, PhysicalResourceId: made.ref, ResourceType: made.type },
      ...{ ResourceStatus: status, ResourceStatusReason: reason, Timestamp: new Date().toISOString() },
    })
  }
}

function changeSetOf({ changeSet }: Stack): ChangeSet {
  if (changeSet === undefined) throw new AwsCliError('The change set does not exist', { cause: 'ChangeSetNotFound' })
  return changeSet
}
