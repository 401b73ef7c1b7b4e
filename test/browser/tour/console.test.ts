/** How the console looks, in every state, in light and dark; console-in-chinese.test.ts reads it in Chinese. */
import { openShop } from '../shop.ts'
import { consoleFormPlaces } from './console-form-places.ts'
import { consoleSalePlaces } from './console-sale-places.ts'
import { tour } from './tour.ts'

const shop = await openShop({ keepsPages: true })

tour([...(await consoleSalePlaces(shop)), ...(await consoleFormPlaces(shop))])
