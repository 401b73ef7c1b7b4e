/** The names of the local system's resources. */
import { type HttpFunction, httpFunctions } from '../system/functions.ts'

export const resources = {
  table: 'sluice',
  bucket: 'sluice-site',
  uploads: 'sluice-uploads',
  redisSecret: 'sluice/local/redis',
} as const

/** The secret key of the local AWS account. */
export const localSecret = 'local'

/** Creates a value for each function that answers HTTP, in parallel. */
export async function everyHttpFunction<T>(make: (name: HttpFunction) => Promise<T>): Promise<Record<HttpFunction, T>> {
  const made = await Promise.all(httpFunctions.map(async (name) => [name, await make(name)] as const))
  // The entries cover all names.
  return Object.fromEntries(made) as Record<HttpFunction, T>
}
