/** Records of the table's stream as changes that events follow from: those of the engine, and two items of events. */
import type { DynamoDBRecord } from 'aws-lambda'
import type { NotedSaleStep } from '../../../core/events/sale-steps.ts'
import type { SaleId } from '../../../core/ids.ts'
import { parse } from '../../../core/lib/parse.ts'
import { type Change, plain, readChange } from '../change-stream.ts'
import { endpointOfWake, keyPrefixes } from '../keys.ts'
import { storedSaleSteps } from './sale-steps.ts'

export type EventChange =
  | Change
  | { sequenceNumber: string; kind: 'wake'; endpointId: string }
  | { sequenceNumber: string; kind: 'sale'; saleId: SaleId; steps: readonly NotedSaleStep[] }

/** The event source filters records; undefined for one of another item, or a deletion. */
export function readEventChange(record: Pick<DynamoDBRecord, 'dynamodb'>): EventChange | undefined {
  const { SequenceNumber: sequenceNumber = '', NewImage, Keys } = record.dynamodb ?? {}
  const [pk = '', sk] = [Keys?.pk?.S, Keys?.sk?.S]
  if (NewImage !== undefined && sk === keyPrefixes.endpointWake) {
    return { sequenceNumber, kind: 'wake', endpointId: endpointOfWake(pk) }
  }
  if (NewImage === undefined || sk !== keyPrefixes.saleSteps) return readChange(record)
  const read = parse(storedSaleSteps, plain({ M: NewImage }))
  return read.ok
    ? { sequenceNumber, kind: 'sale', ...read.value }
    : { sequenceNumber, kind: 'unreadable', detail: `the steps of a sale: ${read.detail}` }
}
