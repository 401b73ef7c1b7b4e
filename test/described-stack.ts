/** A whole system whose front compares all that crosses it with the description of the API. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Stack, type StackOptions, startStack } from '../local/stack.ts'
import { answersVariable, checkExchange, isApiPath } from '../proof/described-api.ts'
import { type FrontExchange, observeExchange } from './exchange.ts'

export const startDescribedStack = (options: StackOptions): Promise<Stack> =>
  startStack({ ...options, observe: (request, response) => observeExchange(request, response, compare) })

/**
 * A difference is written beside the recorded answers and fails the run (`run.ts`): the page may hide it, and the
 * front is in another process than the test.
 */
function compare(exchange: FrontExchange): void {
  const { method, url, headers, status, answered, ...rest } = exchange
  if (!isApiPath(url)) return
  const mediaType = headers['content-type']
  // A preflight is part of CORS. The distribution itself answers 502 and 504, in plain text.
  if (method === 'OPTIONS' || (status >= 500 && !mediaType?.includes('json'))) return
  try {
    checkExchange({
      ...rest,
      method,
      path: url,
      status,
      mediaType,
      answered: answered(),
      headers: Object.keys(headers),
    })
  } catch (error) {
    const folder = process.env[answersVariable]
    const fault = error instanceof Error ? error.message : String(error)
    if (folder === undefined) console.error(fault)
    else appendFileSync(join(folder, `faults-${process.pid}.txt`), `${fault}\n`)
  }
}
