/** The path of the greeting, without schemas, because the gate loads it. */
import type { NamesSeam } from '../../../core/seams.ts'

export const names = { paths: ['/api/greetings/:saleId'] } as const satisfies NamesSeam
