/** The stores of a sale's state, as a handler connected to them. */
import type { RedisClient } from '../../redis/client.ts'
import type { Commander } from '../../redis/command.ts'
import type { Table } from '../stores/dynamodb.ts'

/** `stock` is the exact Redis store, `gate` the store that the edge reads. */
export type Stores = { table: Table; stock: Commander; gate: RedisClient }
