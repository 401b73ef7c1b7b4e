/** The handlers that options add to `delivery`. */
import { handlers } from '../../options/registry/handlers.ts'
import type { Route } from '../lib/http/app.ts'
import type { HandlerPorts, HandlersSeam } from './seams.ts'

/** Calls with roles are those of staff. */
export function optionHandlers(
  ports: HandlerPorts,
  env: Readonly<Record<string, string | undefined>>,
): { ofStaff: readonly Route<unknown>[]; ofShoppers: readonly Route<unknown>[] } {
  const makers: readonly HandlersSeam[] = Object.values(handlers)
  const all = makers.flatMap((make) => make(ports, env))
  return {
    ofStaff: all.filter(({ operation }) => operation.roles !== undefined),
    ofShoppers: all.filter(({ operation }) => operation.roles === undefined),
  }
}
