/** The one table, where the final word is kept: backed up all the time, and not to be deleted by a deployment. */
import {
  AttributeType,
  Billing,
  type ITableV2,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { listIndex } from '../../functions/stores/table.ts'
import { tableDefinition } from '../../system/table.ts'
import { kept } from '../kept.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

const reading = ['dynamodb:GetItem', 'dynamodb:BatchGetItem']
const writing = ['dynamodb:PutItem', 'dynamodb:UpdateItem']
/** What came back to the stock is struck off in batches, which is a right of its own. */
const strikingOff = ['dynamodb:BatchWriteItem']

export class SaleTable extends Construct {
  readonly table: ITableV2

  constructor(scope: Construct, id: string, { name, table, keep }: StageSettings) {
    super(scope, id)
    const warmThroughput = {
      writeUnitsPerSecond: table.warmWritesPerSecond,
      readUnitsPerSecond: table.warmReadsPerSecond,
    }
    const [partitionKey, sortKey] = keysOf(tableDefinition.KeySchema)
    this.table = new TableV2(this, 'Table', {
      tableName: `sluice-${name}`,
      partitionKey,
      sortKey,
      billing: Billing.onDemand(),
      warmThroughput,
      globalSecondaryIndexes: tableDefinition.GlobalSecondaryIndexes.map(({ IndexName, KeySchema }) => {
        const [indexKey, indexSortKey] = keysOf(KeySchema)
        return {
          indexName: IndexName,
          partitionKey: indexKey,
          sortKey: indexSortKey,
          projectionType: ProjectionType.KEYS_ONLY,
          warmThroughput,
        }
      }),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: keep.backupDays,
      },
      deletionProtection: true,
      removalPolicy: kept,
    })
  }

  /** A wallet is one partition. */
  grantQuery(fn: Grantee): void {
    fn.allow(['dynamodb:Query'], [this.table.tableArn])
    fn.tell('TABLE_NAME', this.table.tableName)
  }

  /** Orders and the lists they are on. */
  grantRead(fn: Grantee): void {
    fn.allow(reading, [this.table.tableArn])
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/${listIndex}`])
    fn.tell('TABLE_NAME', this.table.tableName)
  }

  /** New orders and credits: nothing is taken away. */
  grantAdd(fn: Grantee): void {
    fn.allow([...reading, ...writing], [this.table.tableArn])
    fn.tell('TABLE_NAME', this.table.tableName)
  }

  /** What becomes of orders: also lists, and striking off what came back to the stock. */
  grantChange(fn: Grantee): void {
    fn.allow([...reading, 'dynamodb:Query', ...writing, ...strikingOff], [this.table.tableArn])
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/${listIndex}`])
    fn.tell('TABLE_NAME', this.table.tableName)
  }

  /** What marketers do: also deleting a sale, and letting somebody in again who was shut out. */
  grantAll(fn: Grantee): void {
    this.grantChange(fn)
    fn.allow(['dynamodb:DeleteItem'], [this.table.tableArn])
  }
}

/** A key of two parts, both text. */
function keysOf(schema: readonly { AttributeName: string }[]) {
  const [hash, range] = schema
  if (hash === undefined || range === undefined) throw new Error('the table has keys of two parts')
  const text = ({ AttributeName }: { AttributeName: string }) => ({
    name: AttributeName,
    type: AttributeType.STRING,
  })
  return [text(hash), text(range)] as const
}
