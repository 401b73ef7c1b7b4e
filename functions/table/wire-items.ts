/**
 * Reads the items of a query from DynamoDB's wire format. The document client walks each value through lists of its entries,
 * which takes several times as long: a page of 1 MB has 20,000 values.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { QueryCommand } from '@aws-sdk/lib-dynamodb'

export type Item = Record<string, unknown>

/** Returns the same command, whose items are read by `itemOf`. */
export function withItemReader(command: QueryCommand): QueryCommand {
  // The document client reads only this part of an answer.
  Object.assign(command, { outputKeyNodes: { LastEvaluatedKey: {} } })
  command.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      const { Items } = answer.output
      return { ...answer, output: { ...answer.output, Items: Items?.map(itemOf) } }
    },
    // Replaces the SDK's logger, which copies each value of an answer and drops the copy.
    { step: 'initialize', name: 'loggerMiddleware', override: true },
  )
  return command
}

export function itemOf(attributes: Record<string, AttributeValue>): Item {
  const item: Item = {}
  for (const name in attributes) item[name] = valueIn(attributes[name])
  return item
}

/** @throws TypeError for a value of a type that no store writes */
function valueIn(attribute: AttributeValue | undefined): unknown {
  if (attribute?.S !== undefined) return attribute.S
  if (attribute?.N !== undefined) return Number(attribute.N)
  if (attribute?.L !== undefined) return attribute.L.map(valueIn)
  if (attribute?.M !== undefined) return itemOf(attribute.M)
  if (attribute?.BOOL !== undefined) return attribute.BOOL
  if (attribute?.B !== undefined) return attribute.B
  if (attribute?.NULL === true) return null
  throw new TypeError(`no store writes values like ${JSON.stringify(attribute)}`)
}
