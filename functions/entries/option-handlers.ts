/** The handlers that options add to `delivery`. */
import { mergedOf } from '../../core/lib/fold.ts'
import { handlers } from '../../options/registry/handlers.ts'
import type { Environment, Variables } from '../lib/env.ts'
import type { Route } from '../lib/http/app.ts'
import type { HandlerPorts, HandlersSeam } from './seams.ts'

export const optionVariables = mergedOf(handlers, 'variables')

/** Returns the routes of options. A route with roles is for staff. */
export function optionHandlers(
  ports: HandlerPorts,
  env: Environment<Variables>,
): { ofStaff: readonly Route<unknown>[]; ofShoppers: readonly Route<unknown>[] } {
  const seams: readonly HandlersSeam[] = Object.values(handlers)
  const all = seams.flatMap(({ routes }) => routes(ports, env))
  return {
    ofStaff: all.filter(({ operation }) => operation.roles !== undefined),
    ofShoppers: all.filter(({ operation }) => operation.roles === undefined),
  }
}
