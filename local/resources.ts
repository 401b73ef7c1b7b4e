/** The names of the local system's resources. */
import { type HttpFunction, httpFunctions } from '../system/functions.ts'

export const resources = {
  table: 'sluice',
  bucket: 'sluice-site',
  uploads: 'sluice-uploads',
  redisSecret: 'sluice/local/redis',
} as const

/** The key of the one account of this machine. */
export const localSecret = 'local'

/** One value for each function that answers HTTP, made in parallel. */
export async function everyHttpFunction<T>(make: (name: HttpFunction) => Promise<T>): Promise<Record<HttpFunction, T>> {
  const made = await Promise.all(httpFunctions.map(async (name) => [name, await make(name)] as const))
  // It has every name.
  return Object.fromEntries(made) as Record<HttpFunction, T>
}
