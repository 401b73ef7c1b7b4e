/** The console in Chinese on a phone, in every state that it draws anew in another language. */
import { openShop } from '../shop.ts'
import { consoleFormPlaces } from './console-form-places.ts'
import { consoleSalePlaces } from './console-sale-places.ts'
import { tourInChinese } from './tour.ts'

const shop = await openShop({ keepsPages: true })

tourInChinese([...(await consoleSalePlaces(shop)), ...(await consoleFormPlaces(shop))])
