/** The connection to DynamoDB. Its stores are the functions of `functions/table/`, which take it as their first parameter. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/**
 * The table and client of this project. `writeTimeoutMs` is the longest one try of a transaction may take, and
 * `unitsPerCapPart` how many units a cap has in a part, where the usual ones do not suit.
 */
export type Table = {
  client: Pick<DynamoDBDocumentClient, 'send'>
  name: string
  writeTimeoutMs?: number
  unitsPerCapPart?: number
}
