/** The handlers that options add to `delivery`. */
import { handlers } from '../../options/registry/handlers.ts'
import type { Variables } from '../lib/env.ts'
import type { Route } from '../lib/http/app.ts'
import type { HandlerPorts, HandlersSeam } from './seams.ts'

const seams: readonly HandlersSeam[] = Object.values(handlers)

/** The variables that options read. */
export const optionVariables: Variables = Object.assign({}, ...seams.map(({ variables }) => variables))

/** Calls with roles are those of staff. */
export function optionHandlers(
  ports: HandlerPorts,
  env: NodeJS.ProcessEnv,
): { ofStaff: readonly Route<unknown>[]; ofShoppers: readonly Route<unknown>[] } {
  const all = seams.flatMap(({ routes }) => routes(ports, env))
  return {
    ofStaff: all.filter(({ operation }) => operation.roles !== undefined),
    ofShoppers: all.filter(({ operation }) => operation.roles === undefined),
  }
}
