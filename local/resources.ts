/** The names of the local system's resources. */
import { type HttpFunction, perHttpFunction } from '../system/functions.ts'

export const resources = {
  table: 'sluice',
  bucket: 'sluice-site',
  uploads: 'sluice-uploads',
  redisSecret: 'sluice/local/redis',
} as const

/** The key of the one account of this machine. */
export const localSecret = 'local'

/** One value for each function that answers HTTP, made in parallel. */
export async function everyHttpFunction<T>(
  make: (name: HttpFunction) => Promise<T>,
): Promise<Record<HttpFunction, T>> {
  const making = perHttpFunction(make)
  const [reserve, claim, orders, orderChanges, delivery, wallet, payments, control, pictures, signIn] =
    await Promise.all([
      making.reserve,
      making.claim,
      making.orders,
      making['order-changes'],
      making.delivery,
      making.wallet,
      making.payments,
      making.control,
      making.pictures,
      making['sign-in'],
    ])
  return {
    reserve,
    claim,
    orders,
    'order-changes': orderChanges,
    delivery,
    wallet,
    payments,
    control,
    pictures,
    'sign-in': signIn,
  }
}
