/** The definition of the table for CreateTable and CloudFormation; functions/table/keys.ts has the keys. */
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { listIndex, numberIndex, ordersIndex, reportedAttribute } from '../functions/table/keys.ts'

/** The input of CreateTable, without the table's name. */
export const tableDefinition = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'listPk', AttributeType: 'S' },
    { AttributeName: 'listSk', AttributeType: 'S' },
    { AttributeName: 'orderNumber', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: listIndex,
      KeySchema: [
        { AttributeName: 'listPk', KeyType: 'HASH' },
        { AttributeName: 'listSk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
    {
      IndexName: ordersIndex,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'listSk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['status', reportedAttribute] },
    },
    {
      IndexName: numberIndex,
      KeySchema: [
        { AttributeName: 'orderNumber', KeyType: 'HASH' },
        { AttributeName: 'pk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
} satisfies Omit<CreateTableCommandInput, 'TableName'>

/** DynamoDB deletes an item within days after this time, epoch seconds. */
export const expiryAttribute = 'expiresAt'
