/**
 * The table, which decides in every conflict: continuously backed up, and protected from deletion.
 */
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
import {
  contactPrefix,
  deliveryPrefix,
  keyPrefixes,
  listIndex,
  numberIndex,
  ordersIndex,
  simulatedPaymentsOfAll,
} from '../../functions/table/keys.ts'
import { mailStreamView } from '../../system/mail.ts'
import { expiryAttribute, tableDefinition } from '../../system/table.ts'
import { retain } from '../retention.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

const batchReading = ['dynamodb:BatchGetItem']
const reading = ['dynamodb:GetItem', ...batchReading]
const writing = ['dynamodb:PutItem', 'dynamodb:UpdateItem']

export class SaleTable extends Construct {
  readonly table: ITableV2

  constructor(scope: Construct, id: string, { name, table, keep, mail, sendsEvents }: StageSettings) {
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
      ...((mail !== undefined || sendsEvents === true) && { dynamoStream: StreamViewType[mailStreamView] }),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: keep.backupDays },
      deletionProtection: true,
      removalPolicy: retain,
    })
  }

  /**
   * All indexes but that of `--context later-index`: DynamoDB adds or deletes one index in an update of a table
   * (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-dynamodb-globaltable.html).
   */
  #presentIndexes() {
    const later: unknown = this.node.tryGetContext('later-index')
    return tableDefinition.GlobalSecondaryIndexes.filter(({ IndexName }) => IndexName !== later)
  }

  /** All items of a partition. */
  grantQuery(fn: Grantee): void {
    fn.allow(['dynamodb:Query'], [this.table.tableArn])
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /** Single items. */
  grantItems(fn: Grantee): void {
    fn.allow(reading, [this.table.tableArn])
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /** Orders and their lists. */
  grantRead(fn: Grantee): void {
    this.grantItems(fn)
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/${listIndex}`])
  }

  /** Wallets: the orders of red packets in the lists of shoppers. */
  grantWallets(fn: Grantee): void {
    this.grantBatchRead(fn)
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/${listIndex}`])
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /** When orders of a sale were reserved. */
  grantOrdersByTime(fn: Grantee): void {
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/${ordersIndex}`])
  }

  /** Payments of the simulated provider, and no other item. */
  grantSimulator(fn: Grantee): void {
    const itsOwn = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [simulatedPaymentsOfAll] } }
    fn.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], [this.table.tableArn], itsOwn)
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /** Deliveries, contacts and reminders beside the orders; of an order it replaces the shopper. */
  grantPersonal(fn: Grantee): void {
    this.grantRead(fn)
    // All orders of a sale, by time, and one by its number.
    this.grantQuery(fn)
    this.grantOrdersByTime(fn)
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/${numberIndex}`])
    const own = [this.table.tableArn]
    const { reminder, order } = keyPrefixes
    fn.allow(['dynamodb:PutItem'], own, onlyKeys(deliveryPrefix, reminder, order))
    // The contact keeps the mails that its shopper unsubscribed from.
    fn.allow(['dynamodb:UpdateItem'], own, onlyKeys(contactPrefix, reminder))
    fn.allow(['dynamodb:DeleteItem'], own, onlyKeys(deliveryPrefix, contactPrefix, reminder))
    // What a shopper was answered is erased with the contact, and all of a person who asks for it, which is on record.
    const { mail, invited, entries, buyer, audit } = keyPrefixes
    const ofPerson = [contactPrefix, deliveryPrefix, reminder, mail]
    fn.allow(['dynamodb:BatchWriteItem'], own, onlyKeys(...ofPerson, invited, entries, buyer))
    fn.allow(['dynamodb:UpdateItem'], own, onlyKeys(buyer))
    fn.allow(['dynamodb:PutItem'], own, onlyKeys(audit))
    // An address is erased only while its order is as it was read.
    this.grantCheck(fn)
  }

  /** New orders and credits; no deletion. */
  grantWrite(fn: Grantee): void {
    fn.allow(['dynamodb:GetItem', ...writing], [this.table.tableArn])
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /** Several items at once: the parts of a cap, orders, deliveries. */
  grantBatchRead(fn: Grantee): void {
    fn.allow(batchReading, [this.table.tableArn])
  }

  /** Conditions of a transaction on items that it does not change. */
  grantCheck(fn: Grantee): void {
    fn.allow(['dynamodb:ConditionCheckItem'], [this.table.tableArn])
  }

  /** Changes of single orders. Releases that returned to the stock are deleted in batches. */
  grantChange(fn: Grantee): void {
    this.grantWrite(fn)
    fn.allow(['dynamodb:BatchWriteItem'], [this.table.tableArn])
  }

  /** Changes of everything that has a list. */
  grantManage(fn: Grantee): void {
    this.grantRead(fn)
    this.grantQuery(fn)
    this.grantChange(fn)
  }

  /** Entries in draws. */
  grantEntries(fn: Grantee): void {
    const { entries } = keyPrefixes
    fn.allow(['dynamodb:PutItem'], [this.table.tableArn], onlyKeys(entries))
  }

  /** Draws: keys, states and offers, and the list of the sale; entries, orders and sales are only read. */
  grantDraws(fn: Grantee): void {
    this.grantItems(fn)
    const own = [this.table.tableArn]
    const { draws, draw, entries, offers, invited } = keyPrefixes
    fn.allow(['dynamodb:Query'], own, onlyKeys(draws, entries, offers))
    fn.allow(['dynamodb:PutItem'], own, onlyKeys(draw))
    fn.allow(['dynamodb:UpdateItem'], own, onlyKeys(draw))
    fn.allow(['dynamodb:DeleteItem'], own, onlyKeys(draws))
    fn.allow(['dynamodb:BatchWriteItem'], own, onlyKeys(offers, invited))
  }

  /** The contact of a shopper who signs in, where none is kept. */
  grantPutContact(fn: Grantee): void {
    fn.allow(['dynamodb:PutItem'], [this.table.tableArn], onlyKeys(keyPrefixes.contact))
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /** The sign of life of a function that writes nothing else there, or few other keys. */
  grantSign(fn: Grantee): void {
    fn.allow(['dynamodb:PutItem'], [this.table.tableArn], onlyKeys(keyPrefixes.signs))
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /** What an e-mail says and to whom, and the record of those that were sent. */
  grantMail(fn: Grantee): void {
    const { sale, contact, mail, brand, reminder } = keyPrefixes
    fn.allow(['dynamodb:GetItem'], [this.table.tableArn], onlyKeys(sale, brand, reminder))
    // One that was handed over too early waits again.
    fn.allow(['dynamodb:UpdateItem'], [this.table.tableArn], onlyKeys(reminder))
    fn.allow(batchReading, [this.table.tableArn], onlyKeys(contact))
    fn.allow(writing, [this.table.tableArn], onlyKeys(mail))
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /** The endpoints of a marketer, and sending an event once more. Adds to `grantPersonal`. */
  grantEndpoints(fn: Grantee): void {
    const own = [this.table.tableArn]
    const { endpoints, endpointRun, pending, audit } = keyPrefixes
    fn.allow(['dynamodb:PutItem'], own, onlyKeys(endpoints, endpointRun, pending, audit))
    fn.allow(['dynamodb:DeleteItem'], own, onlyKeys(endpoints))
    fn.setVariable('SENDS_EVENTS', 'yes')
  }

  /** Endpoints, what is pending for them, and the record of what was sent. */
  grantEvents(fn: Grantee): void {
    const { endpoints, endpointRun, pending, sent } = keyPrefixes
    const own = [this.table.tableArn]
    fn.allow(['dynamodb:Query'], own, onlyKeys(endpoints))
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/${listIndex}`], onlyKeys(pending))
    fn.allow(['dynamodb:GetItem'], own, onlyKeys(pending))
    fn.allow(['dynamodb:PutItem'], own, onlyKeys(pending, sent))
    fn.allow(['dynamodb:UpdateItem'], own, onlyKeys(endpoints, endpointRun))
    fn.setVariable('TABLE_NAME', this.table.tableName)
  }

  /**
   * The ARN of the stream.
   * @throws in a stage without e-mails and events, which has none
   */
  get streamArn(): string {
    const { tableStreamArn } = this.table
    if (tableStreamArn === undefined) throw new Error('the table has no stream')
    return tableStreamArn
  }

  /** Actions of marketers: also deleting sales and blocks. */
  grantControl(fn: Grantee): void {
    this.grantManage(fn)
    fn.allow(['dynamodb:DeleteItem'], [this.table.tableArn])
  }
}

/** The condition that every key of a request begins with one of `prefixes`. */
const onlyKeys = (...prefixes: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) },
})

/** A key of two parts, both text. */
function keysOf(schema: readonly { AttributeName: string }[]) {
  const [hash, range] = schema
  if (hash === undefined || range === undefined) throw new Error('the keys of the table have two parts')
  const text = ({ AttributeName }: { AttributeName: string }) => ({ name: AttributeName, type: AttributeType.STRING })
  return [text(hash), text(range)] as const
}
