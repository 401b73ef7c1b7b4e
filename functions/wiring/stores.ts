/** Where the state of a sale is kept, as a handler has connected to it. */
import type { RedisClient } from '../../redis/client.ts'
import type { Commander } from '../../redis/command.ts'
import type { Table } from '../stores/dynamodb.ts'

/** `stock` is the exact store of Redis, `gate` the one of what the edge believes. */
export type Stores = { table: Table; stock: Commander; gate: RedisClient }
