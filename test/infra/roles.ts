/** The rights of the functions' roles as IAM reads them: the references of the templates are resolved. */
import * as z from 'zod/mini'
import type { FunctionName } from '../../system/functions.ts'
import { type DescribedStage, type JsonObject, listOf } from './support.ts'

export const account = '123456789012'

/**
 * One action on one resource, and on keys of one pattern where a right is limited to keys. A statement of a policy may
 * have several of each; `statement` has all its patterns.
 */
export type Right = { action: string; resource: string; keys?: string; statement?: readonly string[] }

/** `ForAllValues`, because a request may name several items. */
const ofKeys = z.strictObject({
  'ForAllValues:StringLike': z.strictObject({ 'dynamodb:LeadingKeys': z.array(z.string()) }),
})

type Statement = { Effect: string; Action: unknown; Resource: unknown; Condition?: JsonObject }

/** Every right of a function's role. */
export function rightsOfRole(described: DescribedStage, name: FunctionName): Right[] {
  const title = `${name.replace(/-/g, '')}RoleDefaultPolicy`
  const policies = Object.values(described.resources('app', 'AWS::IAM::Policy')).filter(({ Properties }) =>
    String(Properties.PolicyName).startsWith(title),
  )
  const statements = policies.flatMap(
    ({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement,
  )
  return statements.flatMap(({ Effect, Action, Resource: on, Condition }) => {
    if (Effect !== 'Allow') throw new Error(`${name}: ${Effect} is not expected here`)
    const patterns = Condition && ofKeys.parse(Condition)['ForAllValues:StringLike']['dynamodb:LeadingKeys']
    return listOf(Action).flatMap((given) =>
      listOf(on).flatMap((one): Right[] => {
        const [action, resource] = [String(given), resolved(described, 'app', one)]
        return patterns?.map((keys) => ({ action, resource, keys, statement: patterns })) ?? [{ action, resource }]
      }),
    )
  })
}

/** Names a resource of the stacks in an ARN, by its type. */
const arns: Readonly<Record<string, (properties: JsonObject, region: string) => string>> = {
  'AWS::DynamoDB::GlobalTable': ({ TableName }, region) => `arn:aws:dynamodb:${region}:${account}:table/${TableName}`,
  'AWS::SQS::Queue': ({ QueueName }, region) => `arn:aws:sqs:${region}:${account}:${QueueName}`,
  'AWS::Events::EventBus': ({ Name }, region) => `arn:aws:events:${region}:${account}:event-bus/${Name}`,
  'AWS::CloudFront::KeyValueStore': ({ Name }) => `arn:aws:cloudfront::${account}:key-value-store/${Name}`,
  'AWS::Logs::LogGroup': ({ LogGroupName }, region) => `arn:aws:logs:${region}:${account}:log-group:${LogGroupName}:*`,
}

/** @throws for a reference of a kind that no policy of ours had */
function resolved(described: DescribedStage, stack: 'app' | 'data', value: unknown): string {
  if (typeof value === 'string') return value
  const [[kind, given] = []] = Object.entries(value as JsonObject)
  const { region } = described.stack(stack)
  switch (kind) {
    case 'Fn::Join': {
      const [separator, parts] = given as [string, unknown[]]
      return parts.map((part) => resolved(described, stack, part)).join(separator)
    }
    case 'Ref':
      if (given === 'AWS::Partition') return 'aws'
      if (given === 'AWS::AccountId') return account
      break
    case 'Fn::GetStackOutput': {
      const { OutputName } = given as { OutputName: string }
      return resolved(described, 'data', described.template('data').Outputs?.[OutputName]?.Value)
    }
    case 'Fn::GetAtt': {
      const [id, attribute] = given as [string, string]
      const { Type = '', Properties = {} } = described.template(stack).Resources?.[id] ?? {}
      const arn = arns[Type]?.(Properties, region)
      if (arn !== undefined && attribute === 'Arn') return arn
      if (arn !== undefined && attribute === 'StreamArn') return `${arn}/stream/1`
    }
  }
  throw new Error(`${JSON.stringify(value)} cannot be resolved`)
}
