/** The seam of the function `delivery`, which answers all calls of options. */
import type { Environment, Variables } from '../lib/env.ts'
import type { Route } from '../lib/http/app.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { DeliveryAppPorts } from '../people/delivery.ts'
import type { PersonalControlPorts } from '../people/personal-data-routes.ts'

export type HandlerPorts = PersonalControlPorts & DeliveryAppPorts & Pick<ShopContext, 'newId'>

/** `handlers.ts`: answers the calls of `operations.ts`, in the function `delivery`. */
export type HandlersSeam<Own extends Variables = Variables> = {
  /** Environment variables of the option. The function does not start when one is missing or malformed. */
  variables?: Own
  /**
   * Called once per environment, at its start, with the values of `variables`. Makes further ports from them. The function
   * does not start when this throws. When a handler throws, the answer is `unavailable`.
   */
  routes(ports: HandlerPorts, env: Environment<Own>): readonly Route<unknown>[]
}
