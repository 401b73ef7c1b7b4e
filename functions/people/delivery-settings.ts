/** The settings of the functions that read or write personal data. */
import * as z from 'zod/mini'
import { whole } from '../../core/lib/parse.ts'
import { nonEmpty } from '../lib/env.ts'
import { sealerKeys } from '../lib/sealer.ts'

/** Ten years, the longest time for which a law requires a shop to keep records of its customers. */
export const maxPersonalDays = 3650

/** `PERSONAL_DAYS` is how long personal data is kept after it was saved. */
export const personalVariables = {
  PERSONAL_KEYS: sealerKeys,
  PERSONAL_DAYS: z.pipe(nonEmpty, z.pipe(z.transform(Number), whole(1, maxPersonalDays))),
}
