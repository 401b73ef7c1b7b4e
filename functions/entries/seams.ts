/** The seam of the function `delivery`, which answers all calls of options. */
import type { Variables } from '../lib/env.ts'
import type { Route } from '../lib/http/app.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { DeliveryAppPorts } from '../people/delivery.ts'
import type { PersonalControlPorts } from '../people/personal-data-routes.ts'

export type HandlerPorts = PersonalControlPorts & DeliveryAppPorts & Pick<ShopContext, 'newId'>

/** `handlers.ts`: what answers the calls of `operations.ts`, in the function `delivery`. */
export type HandlersSeam = {
  /** Variables of the function that the option reads. One that is missing or wrong keeps the function from starting. */
  variables?: Variables
  /**
   * Is called once, when an environment starts, and makes ports of its own from the variables. A throw keeps the function
   * from starting; a throw of a handler is answered `unavailable`.
   */
  routes(ports: HandlerPorts, env: NodeJS.ProcessEnv): readonly Route<unknown>[]
}
