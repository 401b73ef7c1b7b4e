/** The rig's Redis over one connection without the REST proxy: for models that send thousands of commands. */
import { loopback } from '../../local/ports.ts'
import { connectTo, type DirectClient } from '../../proof/direct-redis.ts'

export const connectDirectly = ({ port, path }: { port: number; path?: string }): DirectClient =>
  connectTo({ host: loopback, port, ...(path !== undefined && { path }) }, { strict: true })
