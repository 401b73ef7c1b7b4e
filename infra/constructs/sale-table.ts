/** The table, the source of truth: continuously backed up, and protected from deletion. */
import {
  AttributeType,
  Billing,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { joined } from '../../core/lib/fold.ts'
import type { RetiredItems } from '../../functions/people/retired-items.ts'
import {
  contactPrefix,
  deliveryPrefix,
  keyPrefixes,
  listIndex,
  numberIndex,
  ordersIndex,
  simulatedPrefix,
} from '../../functions/table/keys.ts'
import { functions } from '../../options/registry/functions.ts'
import { retired } from '../../options/registry/names.ts'
import type { FunctionName } from '../../system/functions.ts'
import { mailStreamView } from '../../system/mail.ts'
import type { TableRight } from '../../system/seams.ts'
import { expiryAttribute, tableDefinition } from '../../system/table.ts'
import { retain } from '../retention.ts'
import { optionsOfStage, type StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

export class SaleTable extends Construct {
  readonly table: ITableV2

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id)
    const { name, table, keep, mail } = settings
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
      globalSecondaryIndexes: this.#presentIndexes().map(({ IndexName, KeySchema, Projection }) => {
        const [indexKey, indexSortKey] = keysOf(KeySchema)
        return {
          indexName: IndexName,
          partitionKey: indexKey,
          sortKey: indexSortKey,
          projectionType: ProjectionType[Projection.ProjectionType],
          ...('NonKeyAttributes' in Projection && { nonKeyAttributes: Projection.NonKeyAttributes }),
          warmThroughput,
        }
      }),
      timeToLiveAttribute: expiryAttribute,
      ...((mail !== undefined || optionsOfStage(settings).length > 0) && {
        dynamoStream: StreamViewType[mailStreamView],
      }),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: keep.backupDays },
      deletionProtection: true,
      removalPolicy: retain,
    })
  }

  /**
   * Returns all indexes but that of `--context later-index`: DynamoDB adds or deletes one index in an update of a table
   * (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-dynamodb-globaltable.html).
   */
  #presentIndexes() {
    const later: unknown = this.node.tryGetContext('later-index')
    return tableDefinition.GlobalSecondaryIndexes.filter(({ IndexName }) => IndexName !== later)
  }

  /** Allows reading all items of a partition. */
  grantQuery(fn: Grantee): void {
    this.#allow(fn, ['Query'])
  }

  grantItems(fn: Grantee): void {
    this.#allow(fn, ['GetItem', 'BatchGetItem'])
  }

  /** Allows reading orders and their lists. */
  grantRead(fn: Grantee): void {
    this.grantItems(fn)
    this.#allowQuery(fn, listIndex)
  }

  /** Allows reading wallets: the orders of red packets in the lists of shoppers. */
  grantWallets(fn: Grantee): void {
    this.grantBatchRead(fn)
    this.#allowQuery(fn, listIndex)
  }

  grantOrdersByTime(fn: Grantee): void {
    this.#allowQuery(fn, ordersIndex)
  }

  grantOrderNumbers(fn: Grantee): void {
    this.#allowQuery(fn, numberIndex)
  }

  /** Allows payments of the simulated provider, and no other item. */
  grantSimulator(fn: Grantee): void {
    this.#allow(fn, ['GetItem', 'PutItem'], simulatedPrefix)
  }

  /** Allows deliveries and contacts besides the orders, and replacing the shopper of an order. */
  grantPersonal(fn: Grantee): void {
    this.grantRead(fn)
    // All orders of a sale, by time, and one by its number.
    this.grantQuery(fn)
    this.grantOrdersByTime(fn)
    this.grantOrderNumbers(fn)
    this.#allow(fn, ['PutItem'], deliveryPrefix, keyPrefixes.order)
    // The contact records which emails its shopper unsubscribed from.
    this.#allow(fn, ['UpdateItem'], contactPrefix)
    this.#allow(fn, ['DeleteItem'], deliveryPrefix, contactPrefix)
    // The sent emails are erased with the contact, and all items of a person on request, which is audited.
    const { mail, buyer, audit } = keyPrefixes
    const ofRetired = retired.map(({ partition }: RetiredItems) => partition.replace(/\{.*/, ''))
    // One statement, because a batch with keys of several prefixes must match one as a whole.
    const ofPerson = [contactPrefix, deliveryPrefix, mail, ...ofRetired, ...joined(functions, 'erasedPrefixes'), buyer]
    this.#allow(fn, ['BatchWriteItem'], ...ofPerson)
    this.#allow(fn, ['UpdateItem'], buyer)
    this.#allow(fn, ['PutItem'], audit)
    // An address is erased only if its order is unchanged since it was read.
    this.grantCheck(fn)
  }

  /** Allows writing orders and credits, without deletion. */
  grantWrite(fn: Grantee): void {
    this.#allow(fn, ['GetItem', 'PutItem', 'UpdateItem'])
  }

  /** Allows batched reads: the parts of a cap, orders, deliveries. */
  grantBatchRead(fn: Grantee): void {
    this.#allow(fn, ['BatchGetItem'])
  }

  /** Allows conditions of a transaction on items that it does not change. */
  grantCheck(fn: Grantee): void {
    this.#allow(fn, ['ConditionCheckItem'])
  }

  /** Allows changes of single orders. Finished releases are deleted in batches. */
  grantChange(fn: Grantee): void {
    this.grantWrite(fn)
    this.#allow(fn, ['BatchWriteItem'])
  }

  /** Allows changes of everything that has a list. */
  grantManage(fn: Grantee): void {
    this.grantRead(fn)
    this.grantQuery(fn)
    this.grantChange(fn)
  }

  /** Allows adding the contact of a shopper who signs in. */
  grantPutContact(fn: Grantee): void {
    this.#allow(fn, ['PutItem'], keyPrefixes.contact)
  }

  /** Allows the heartbeat of a function that writes nothing else, or few other keys. */
  grantHeartbeat(fn: Grantee): void {
    this.#allow(fn, ['PutItem'], keyPrefixes.heartbeats)
  }

  /** Allows reading the content and the recipient of an email, and recording sent ones. */
  grantMail(fn: Grantee): void {
    const { sale, contact, mail, brand } = keyPrefixes
    this.#allow(fn, ['GetItem'], sale, brand)
    this.#allow(fn, ['BatchGetItem'], contact)
    this.#allow(fn, ['PutItem', 'UpdateItem'], mail)
  }

  /** Allows the actions of marketers, including deleting sales and blocks. */
  grantControl(fn: Grantee): void {
    this.grantManage(fn)
    this.#allow(fn, ['DeleteItem'])
  }

  /** Allows what the options grant the function `name` in every stage. */
  grantOptions(fn: Grantee, name: FunctionName): void {
    const all: readonly (TableRight & { of: FunctionName })[] = joined(functions, 'rights')
    for (const { of, actions, prefixes } of all) if (of === name) this.#allow(fn, actions, ...prefixes)
  }

  /** Allows actions on keys that begin with one of `prefixes`, in the table or in `index`. */
  grantKeys(fn: Grantee, actions: readonly string[], prefixes: readonly string[], index?: string): void {
    if (index === undefined) this.#allow(fn, actions, ...prefixes)
    else this.#allowQuery(fn, index, ...prefixes)
  }

  /** Allows actions on keys that begin with one of `prefixes`, if there are any, else on all. */
  #allow(fn: Grantee, actions: readonly string[], ...prefixes: readonly string[]): void {
    const { tableArn, tableName } = this.table
    const allowed = actions.map((action) => `dynamodb:${action}`)
    fn.allow(allowed, [tableArn], onlyKeys(prefixes))
    fn.setVariable('TABLE_NAME', tableName)
  }

  #allowQuery(fn: Grantee, index: string, ...prefixes: readonly string[]): void {
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/${index}`], onlyKeys(prefixes))
  }

  /** Returns the ARN of the stream. @throws in a stage whose functions read none */
  get streamArn(): string {
    const { tableStreamArn } = this.table
    if (tableStreamArn === undefined) throw new Error('the table has no stream')
    return tableStreamArn
  }
}

const onlyKeys = (prefixes: readonly string[]): object | undefined =>
  prefixes.length === 0
    ? undefined
    : { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) } }

/** Returns the two parts of a key, both text. */
function keysOf(schema: readonly { AttributeName: string }[]) {
  const [hash, range] = schema
  if (hash === undefined || range === undefined) throw new Error('the keys of the table have two parts')
  const text = ({ AttributeName }: { AttributeName: string }) => ({ name: AttributeName, type: AttributeType.STRING })
  return [text(hash), text(range)] as const
}
